package sqlstore

import (
	"cmp"
	"slices"
	"time"

	"smsd/internal/records"
)

// inOrder returns rows in the order of their ids, and of several with one id the first.
func inOrder[T any](rows []T, id func(*T) string) []T {
	type place struct {
		id string
		at int
	}
	places := make([]place, len(rows))
	for i := range rows {
		places[i] = place{storable(id(&rows[i])), i}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.id, b.id), a.at-b.at) })
	places = slices.CompactFunc(places, func(a, b place) bool { return a.id == b.id })
	sorted := make([]T, len(places))
	for i, p := range places {
		sorted[i] = rows[p.at]
	}
	return sorted
}

func verificationID(v *records.Verification) string { return v.SMSID }

func changeID(c *records.Change) string { return c.SMSID }

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
	micros, currency := records.AddCosts(a.CostMicros, a.Currency, b.CostMicros, b.Currency)
	return records.Change{
		SMSID:     first.SMSID,
		ExpiresAt: given(next.ExpiresAt, first.ExpiresAt),
		Fate: records.Fate{
			Gateway:     cmp.Or(b.Gateway, a.Gateway),
			Delivery:    cmp.Or(b.Delivery, a.Delivery),
			Segments:    cmp.Or(b.Segments, a.Segments),
			CostMicros:  micros,
			Currency:    currency,
			DeliveredAt: given(a.DeliveredAt, b.DeliveredAt),
			VerifiedAt:  given(a.VerifiedAt, b.VerifiedAt),
			FailedAt:    given(a.FailedAt, b.FailedAt),
			Failure:     cmp.Or(a.Failure, b.Failure),
			Resends:     a.Resends + b.Resends,
			ResentAt:    latest(a.ResentAt, b.ResentAt),
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

// latest is the later of two instants; never is before all.
func latest(a, b time.Time) time.Time {
	if b.Before(a) {
		return a
	}
	return b
}
