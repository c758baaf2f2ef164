package sms_test

import (
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/records"
	"smsd/internal/sms"
)

// A carrier that takes a message after everybody has given up: the row says so, and its receipts, which know the message by the carrier's id
// alone, find it.
func TestAMessageThatIsTakenTooLate(t *testing.T) {
	t.Parallel()
	d := &reporting{byProviderID: true, ids: make(chan string, 1), held: make(chan struct{})}
	l := newLedger(t, setup{driver: d, try: 20 * time.Millisecond})
	sent := l.send(ask(alice))
	if sent.Delivery != sms.DeliveryUnknown {
		t.Fatalf("%q", sent.Delivery)
	}
	close(d.held)
	id := "P-" + <-d.ids
	deadline := time.Now().Add(10 * time.Second)
	for { // its word comes when its goroutine gets a turn; until then a receipt waits for whose it is
		found, err := l.db.Records().Owners(t.Context(), "mock", []string{id})
		if err == nil && found[id].SMSID == sent.SMSID {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("nobody knows whose it is: %v, %v", found, err)
		}
		time.Sleep(time.Millisecond)
	}
	l.report(gateway.Receipt{ProviderID: id, State: gateway.Delivered})
	if v := l.row(); v.Fate.Delivery != records.DeliveryAccepted || v.Fate.Gateway != "mock" || v.Fate.DeliveredAt.IsZero() {
		t.Errorf("%+v", v.Fate)
	}
}
