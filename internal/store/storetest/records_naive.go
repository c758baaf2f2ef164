package storetest

import (
	"time"

	"smsd/internal/records"
)

// naive is what a store of records holds, by the word of its contract: one row after the other, and none joined with another one
// before it is written.
type naive struct {
	rows  map[string]*records.Verification
	early map[string][]records.Change
}

func newNaive() naive {
	return naive{map[string]*records.Verification{}, map[string][]records.Change{}}
}

// write writes a batch that was not written before.
func (n naive) write(b records.Batch) {
	for _, v := range b.Verifications {
		if n.rows[v.SMSID] != nil {
			continue
		}
		n.rows[v.SMSID] = &v
		for _, c := range n.early[v.SMSID] {
			n.tell(c)
		}
		delete(n.early, v.SMSID)
	}
	for _, c := range b.Changes {
		n.tell(c)
	}
}

func (n naive) tell(c records.Change) {
	v := n.rows[c.SMSID]
	if v == nil {
		n.early[c.SMSID] = append(n.early[c.SMSID], c)
		return
	}
	if !c.ExpiresAt.IsZero() {
		v.ExpiresAt = c.ExpiresAt
	}
	tellWords(&v.Fate, c.Fate)
	tellCost(&v.Fate, c.Fate)
	tellInstants(&v.Fate, c.Fate)
}

func tellWords(f *records.Fate, told records.Fate) {
	if told.Gateway != "" {
		f.Gateway = told.Gateway
	}
	if told.Delivery != "" && f.Delivery != records.DeliveryAccepted {
		f.Delivery = told.Delivery
	}
	if told.Segments != 0 {
		f.Segments = told.Segments
	}
	f.Resends += told.Resends
}

func tellCost(f *records.Fate, told records.Fate) {
	switch {
	case told.Currency == "":
	case f.Currency == "" || f.Currency == told.Currency:
		f.CostMicros, f.Currency = f.CostMicros+told.CostMicros, told.Currency
	default:
		f.CostMicros, f.Currency = 0, records.MixedCurrency
	}
	f.Billed.Segments = max(f.Billed.Segments, told.Billed.Segments)
	if told.Billed.CostMicros > f.Billed.CostMicros {
		f.Billed.CostMicros, f.Billed.Currency = told.Billed.CostMicros, told.Billed.Currency
	}
}

func tellInstants(f *records.Fate, told records.Fate) {
	failed := f.FailedAt
	for _, i := range []struct{ known, told *time.Time }{
		{&f.DeliveredAt, &told.DeliveredAt}, {&f.VerifiedAt, &told.VerifiedAt}, {&f.FailedAt, &told.FailedAt}, {&f.ExpiredAt, &told.ExpiredAt},
	} {
		if i.known.IsZero() || !i.told.IsZero() && i.told.Before(*i.known) {
			*i.known = *i.told
		}
	}
	if !f.FailedAt.Equal(failed) || !told.FailedAt.IsZero() && told.FailedAt.Equal(failed) && told.Failure+" "+told.FailureCode < f.Failure+" "+f.FailureCode {
		f.Failure, f.FailureCode = told.Failure, told.FailureCode
	}
	if told.ResentAt.After(f.ResentAt) {
		f.ResentAt = told.ResentAt
	}
}
