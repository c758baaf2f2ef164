package sqlstore

import (
	"cmp"
	"time"

	"smsd/internal/records"
)

// merged makes one change of all those of a verification, in the order of the first of each: one statement changes a
// row once.
func merged(all []records.Change) []records.Change {
	var out []records.Change
	place := make(map[string]int, len(all))
	for _, c := range all {
		id := storable(c.SMSID)
		i, known := place[id]
		if !known {
			place[id], out = len(out), append(out, c)
			continue
		}
		out[i] = then(out[i], c)
	}
	return out
}

// then is the change that does what first and then next would, as [records.Change] says.
func then(first, next records.Change) records.Change {
	a, b := first.Fate, next.Fate
	return records.Change{
		SMSID:     first.SMSID,
		ExpiresAt: given(next.ExpiresAt, first.ExpiresAt),
		Fate: records.Fate{
			Gateway:     cmp.Or(b.Gateway, a.Gateway),
			Delivery:    cmp.Or(b.Delivery, a.Delivery),
			Segments:    cmp.Or(b.Segments, a.Segments),
			CostMicros:  cmp.Or(b.CostMicros, a.CostMicros),
			Currency:    cmp.Or(b.Currency, a.Currency),
			DeliveredAt: given(a.DeliveredAt, b.DeliveredAt),
			VerifiedAt:  given(a.VerifiedAt, b.VerifiedAt),
			FailedAt:    given(a.FailedAt, b.FailedAt),
			Failure:     cmp.Or(a.Failure, b.Failure),
			Resends:     a.Resends + b.Resends,
			ResentAt:    given(a.ResentAt, b.ResentAt),
			ExpiredAt:   given(a.ExpiredAt, b.ExpiredAt),
		},
	}
}

// given is the first of the instants that is not never.
func given(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}
