package sms_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/records"
	"smsd/internal/sms"
)

// reporting is the mock gateway, of which a test knows the ids of messages; it may be told only by its own, and may be held up.
type reporting struct {
	gateway.Driver
	byProviderID bool
	unclear      bool
	ids          chan string // of messages that are under way
	held         chan struct{}
}

func (r *reporting) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	accepted, err := gateway.Accepted{ProviderID: "P-" + m.ID, ByProviderID: r.byProviderID}, error(nil)
	if r.unclear {
		err = &gateway.Error{Reason: gateway.Ambiguous, Err: errors.New("no answer came")}
	}
	r.ids <- m.ID
	<-r.held
	return accepted, err
}

// newReporting is a ledger whose gateway does not hold messages up.
func newReporting(t *testing.T, d *reporting) *ledger {
	t.Helper()
	d.ids, d.held = make(chan string, 10), make(chan struct{})
	close(d.held)
	return newLedger(t, setup{driver: d})
}

func (l *ledger) report(all ...gateway.Receipt) {
	l.t.Helper()
	if err := l.Receive(l.t.Context(), "mock", all); err != nil {
		l.t.Fatal(err)
	}
}

// Whatever receipts come, in whatever order and however often, the row is the same: also where they name the message by the carrier's
// id alone. Delivered makes up for undelivered, and neither is verified.
func TestReceiptsInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, byProviderID := range map[string]bool{"our id": false, "the carrier's id": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var first records.Verification
			for n := range 6 {
				d := &reporting{byProviderID: byProviderID, unclear: !byProviderID}
				l := newReporting(t, d)
				l.send(ask(alice))
				id := <-d.ids
				l.pass(48 * time.Hour) // two days late
				told := receiptsOf(id, byProviderID, l.wall.Now())
				random := rand.New(rand.NewPCG(uint64(n), 7))
				random.Shuffle(len(told), func(i, j int) { told[i], told[j] = told[j], told[i] })
				for _, r := range told {
					l.report(r)
				}
				l.report(told...)
				v := l.row()
				if f := v.Fate; v.State(v.CreatedAt) != records.Delivered || f.Delivery != "accepted" || !f.VerifiedAt.IsZero() || f.FailedAt.IsZero() ||
					f.Failure != "temporary" || f.Billed != (records.Bill{Segments: 2, CostMicros: 9000, Currency: "EUR"}) {
					t.Errorf("fate %+v", f)
				}
				v.SMSID, v.Sealed = "", nil
				if n == 0 {
					first = v
				}
				if v.Fate != first.Fate {
					t.Errorf("in another order\n%+v, want\n%+v", v.Fate, first.Fate)
				}
			}
		})
	}
}

// receiptsOf are of one message, each twice.
func receiptsOf(id string, byProviderID bool, now time.Time) []gateway.Receipt {
	at := now.Add(-47 * time.Hour)
	told := []gateway.Receipt{
		{State: gateway.UnderWay, Segments: 2}, {State: gateway.UnderWay, CostMicros: 9000, Currency: "EUR"}, {State: gateway.Delivered, At: at.Add(time.Minute)},
		{State: gateway.Delivered, At: at}, {State: gateway.Undelivered, Reason: gateway.Temporary, At: at}, {State: gateway.Undelivered, Reason: gateway.BadNumber, At: at.Add(time.Second)},
	}
	for i := range told {
		if told[i].MessageID = id; byProviderID {
			told[i].MessageID, told[i].ProviderID = "", "P-"+id
		}
	}
	return append(told, told...)
}

// A receipt may come before the send has returned, by either id.
func TestReceiptBeforeTheSendReturns(t *testing.T) {
	t.Parallel()
	for name, byProviderID := range map[string]bool{"our id": false, "the carrier's id": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &reporting{byProviderID: byProviderID}
			l := newReporting(t, d)
			d.held = make(chan struct{})
			sent := make(chan error)
			go func() { _, err := l.Send(requestContext(), ask(alice)); sent <- err }()
			for _, r := range receiptsOf(<-d.ids, byProviderID, l.wall.Now())[:4] {
				l.report(r)
			}
			close(d.held)
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
			if v := l.row(); v.State(v.CreatedAt) != records.Delivered || v.Fate.Billed.Segments != 2 {
				t.Errorf("fate %+v", v.Fate)
			}
		})
	}
}

func requestContext() context.Context { return context.Background() }

// A receipt of another's message changes nothing and is no error; what can't be true is left out; no number is in the log.
func TestReceiptsOfOthers(t *testing.T) {
	t.Parallel()
	d := &reporting{}
	l := newReporting(t, d)
	sent := l.send(ask(alice))
	id := <-d.ids
	forged := "A" + id[1:]
	if forged == id {
		forged = "B" + id[1:]
	}
	l.report(gateway.Receipt{MessageID: forged, State: gateway.Delivered}, gateway.Receipt{MessageID: sent.SMSID, State: gateway.Delivered},
		gateway.Receipt{State: gateway.Delivered}, gateway.Receipt{ProviderID: strings.Repeat("x", 257), State: gateway.Delivered},
		gateway.Receipt{ProviderID: "nobody's", State: gateway.Delivered},
		gateway.Receipt{MessageID: id, State: "verified", Segments: -1, CostMicros: 5, Currency: "euros"})
	if v := l.row(); v.State(v.CreatedAt) != records.Accepted || v.Fate.Billed != (records.Bill{}) {
		t.Errorf("fate %+v", v.Fate)
	}
	l.metric(`smsd_gateway_receipts_unknown_total{gateway="mock"} 5`)
	if strings.Contains(l.log.String(), "13800138000") || strings.Contains(l.log.String(), id) {
		t.Error("the log tells of a message")
	}
}

// Of receipts that nobody can place no more are kept than the bounds say, however many come.
func TestReceiptsOfOthersFillNoDatabase(t *testing.T) {
	t.Parallel()
	l := newReporting(t, &reporting{})
	const burst, more = 1000, 500
	var all []gateway.Receipt
	for n := range burst + more {
		all = append(all, gateway.Receipt{ProviderID: fmt.Sprint("other-", n), State: gateway.Delivered})
	}
	_ = l.Receive(t.Context(), "mock", all) // on a busy machine so many may not be on disk in time; they are once the book is closed
	l.metric(fmt.Sprintf(`smsd_gateway_receipts_unknown_total{gateway="mock"} %d`, burst+more))
	l.close()
	got, err := l.db.Records().Purge(t.Context(), time.Now().Add(time.Hour), time.Time{}, 10_000)
	if err != nil || got.Handles != burst {
		t.Errorf("%d are kept, %v", got.Handles, err)
	}
}

// How long a message took to the phone is by the carrier's clock, and the send's.
func TestDeliverySeconds(t *testing.T) {
	t.Parallel()
	d := &reporting{}
	l := newReporting(t, d)
	l.send(ask(alice))
	at := l.wall.Now().Truncate(time.Second) // as an id has it
	l.pass(time.Hour)
	l.report(gateway.Receipt{MessageID: <-d.ids, State: gateway.Delivered, At: at.Add(7 * time.Second)})
	for _, family := range must(l.registry.Gather()) {
		if family.GetName() == "smsd_gateway_delivery_seconds" {
			if h := family.Metric[0].Histogram; h.GetSampleCount() != 1 || h.GetSampleSum() != 7 {
				t.Errorf("%d of %v s together, want one of 7 s", h.GetSampleCount(), h.GetSampleSum())
			}
			return
		}
	}
	t.Error("no message is measured")
}

// Without records, and with a book that is closed, the carrier is to tell all of it again.
func TestReceiptsWithoutRecords(t *testing.T) {
	t.Parallel()
	d := &reporting{}
	l := newReporting(t, d)
	l.send(ask(alice))
	one := gateway.Receipt{MessageID: <-d.ids, State: gateway.Delivered}
	l.close()
	if err := l.Receive(t.Context(), "mock", []gateway.Receipt{one}); !errors.Is(err, sms.ErrUnavailable) {
		t.Errorf("closed: %v", err)
	}
	if err := newRig(t, setup{}).Receive(t.Context(), "mock", []gateway.Receipt{one}); !errors.Is(err, sms.ErrUnavailable) {
		t.Errorf("none are kept: %v", err)
	}
}

// Why a message did not arrive is told by the carrier's own code, in the log and in the row, as far as it can be no number.
func TestCodesOfReceiptsAreTold(t *testing.T) {
	t.Parallel()
	for code, told := range map[string]string{"MK:0001": "MK:0001", "+8613800138000": "", "": ""} {
		d := &reporting{}
		l := newReporting(t, d)
		sent := l.send(ask(alice))
		l.report(gateway.Receipt{MessageID: <-d.ids, State: gateway.Undelivered, Reason: gateway.Ambiguous, Code: code})
		if v := l.row(); v.Fate.Failure != string(gateway.Ambiguous) || v.Fate.FailureCode != told {
			t.Errorf("%q: the row says %q, %q", code, v.Fate.Failure, v.Fate.FailureCode)
		}
		said := line(l.log.String(), "outcome=undelivered")
		if !strings.Contains(said, "gateway=mock sms_id="+sent.SMSID[:8]+" reason=ambiguous") || strings.Contains(said, " code=") != (told != "") || !strings.HasSuffix(strings.TrimSpace(said), told) {
			t.Errorf("%q: the log says %s", code, said)
		}
	}
}

// What the carrier says when it refuses a message at once is in the row too.
func TestCodesOfRefusalsAreInTheRow(t *testing.T) {
	t.Parallel()
	l := newLedger(t, setup{driver: scripted{&gateway.Error{Reason: gateway.NoRoute, Sent: gateway.NotSent, Code: "21612"}}})
	l.sendFails(ask(alice), sms.ErrUndeliverable)
	if v := l.row(); v.Fate.Failure != string(gateway.NoRoute) || v.Fate.FailureCode != "21612" {
		t.Errorf("the row says %q, %q", v.Fate.Failure, v.Fate.FailureCode)
	}
}
