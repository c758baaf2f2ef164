package sms

import (
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/records"
)

// What a receipt says is taken as far as it can be true.
func TestWhatReceiptsTell(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	now := sent.Add(time.Hour)
	const most = MaxAmount * microsPerUnit
	taken := records.Fate{Delivery: records.DeliveryAccepted}
	with := func(change func(*records.Fate)) records.Fate {
		f := taken
		change(&f)
		return f
	}
	for name, c := range map[string]struct {
		told gateway.Receipt
		want records.Fate
	}{
		"under way":       {gateway.Receipt{State: gateway.UnderWay, At: sent.Add(time.Minute)}, taken},
		"a state of none": {gateway.Receipt{State: "verified"}, taken},
		"delivered":       {gateway.Receipt{State: gateway.Delivered, At: sent.Add(time.Minute)}, with(func(f *records.Fate) { f.DeliveredAt = sent.Add(time.Minute) })},
		"at no instant":   {gateway.Receipt{State: gateway.Delivered}, with(func(f *records.Fate) { f.DeliveredAt = now })},
		"in the future":   {gateway.Receipt{State: gateway.Delivered, At: now.Add(time.Hour)}, with(func(f *records.Fate) { f.DeliveredAt = now })},
		"before the send": {gateway.Receipt{State: gateway.Undelivered, At: sent.Add(-time.Hour)}, with(func(f *records.Fate) { f.FailedAt = sent })},
		"a reason": {gateway.Receipt{State: gateway.Undelivered, Reason: gateway.BadNumber}, with(func(f *records.Fate) {
			f.FailedAt, f.Failure = now, string(gateway.BadNumber)
		})},
		"a code": {gateway.Receipt{State: gateway.Undelivered, Reason: gateway.Ambiguous, Code: "MK:0001"}, with(func(f *records.Fate) {
			f.FailedAt, f.Failure, f.FailureCode = now, string(gateway.Ambiguous), "MK:0001"
		})},
		"a code that is a number": {gateway.Receipt{State: gateway.Undelivered, Code: "+8613800138000"}, with(func(f *records.Fate) { f.FailedAt = now })},
		"a reason of none":        {gateway.Receipt{State: gateway.Undelivered, Reason: "no reason"}, with(func(f *records.Fate) { f.FailedAt = now })},
		"the most segments":       {gateway.Receipt{Segments: gateway.MaxSegments}, with(func(f *records.Fate) { f.Billed.Segments = gateway.MaxSegments })},
		"too many segments":       {gateway.Receipt{Segments: gateway.MaxSegments + 1}, taken},
		"the most money": {gateway.Receipt{CostMicros: most, Currency: "USD"}, with(func(f *records.Fate) {
			f.Billed = records.Bill{CostMicros: most, Currency: "USD"}
		})},
		"too much money":      {gateway.Receipt{CostMicros: most + 1, Currency: "USD"}, taken},
		"money of no country": {gateway.Receipt{CostMicros: 1, Currency: "usd"}, taken},
	} {
		if got := toldBy(c.told, sent, now); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// Where nobody knows when the message was sent, a clock that was never set is no clock.
func TestInstantsOfUnknownMessages(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ told, want time.Time }{
		"two days ago":      {now.Add(-48 * time.Hour), now.Add(-48 * time.Hour)},
		"in 1970":           {time.Unix(0, 0), now},
		"in the year 1":     {time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("UTC+8", 8*60*60)), now},
		"the oldest":        {now.Add(-oldest), now.Add(-oldest)},
		"older":             {now.Add(-oldest - 1), now},
		"in a moment":       {now.Add(1), now},
		"at no time at all": {time.Time{}, now},
	} {
		if got := toldBy(gateway.Receipt{State: gateway.Delivered, At: c.told}, time.Time{}, now).DeliveredAt; !got.Equal(c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
