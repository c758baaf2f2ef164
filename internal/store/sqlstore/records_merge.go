package sqlstore

import (
	"cmp"
	"slices"
	"time"

	"smsd/internal/records"
)

// inOrder returns rows in the order of their ids. Of several with one id join makes one, in the order in which they came, since one
// statement writes a row once.
func inOrder[T any](rows []T, id func(*T) string, join func(first, next T) T) []T {
	type place struct {
		id string
		at int
	}
	places := make([]place, len(rows))
	for i := range rows {
		places[i] = place{storable(id(&rows[i])), i}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.id, b.id), a.at-b.at) })
	sorted := make([]T, 0, len(places))
	for i, p := range places {
		if i > 0 && places[i-1].id == p.id {
			last := &sorted[len(sorted)-1]
			*last = join(*last, rows[p.at])
			continue
		}
		sorted = append(sorted, rows[p.at])
	}
	return sorted
}

func verificationID(v *records.Verification) string { return v.SMSID }

func changeID(c *records.Change) string { return c.SMSID }

// firstOf is of two verifications of one id the one that came first.
func firstOf(first, _ records.Verification) records.Verification { return first }

// then is the change that does what first and then next would, as [records.Change] says.
func then(first, next records.Change) records.Change {
	return records.Change{
		SMSID:     first.SMSID,
		ExpiresAt: given(next.ExpiresAt, first.ExpiresAt),
		Fate:      thenFate(first.Fate, next.Fate),
	}
}

// thenFate is [then] of what became of a message.
func thenFate(a, b records.Fate) records.Fate {
	failed := firstFailed(a, b)
	micros, currency := records.AddCosts(a.CostMicros, a.Currency, b.CostMicros, b.Currency)
	return records.Fate{
		Gateway:     cmp.Or(b.Gateway, a.Gateway),
		Delivery:    surest(a.Delivery, b.Delivery),
		Segments:    cmp.Or(b.Segments, a.Segments),
		CostMicros:  micros,
		Currency:    currency,
		Billed:      larger(a.Billed, b.Billed),
		DeliveredAt: earliest(a.DeliveredAt, b.DeliveredAt),
		VerifiedAt:  earliest(a.VerifiedAt, b.VerifiedAt),
		FailedAt:    earliest(a.FailedAt, b.FailedAt),
		Failure:     failed.Failure,
		FailureCode: failed.FailureCode,
		Resends:     a.Resends + b.Resends,
		ResentAt:    latest(a.ResentAt, b.ResentAt),
		ExpiredAt:   earliest(a.ExpiredAt, b.ExpiredAt),
	}
}

// given is the first of the instants that is not never.
func given(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// surest is a delivery that is known for sure, or else the last one told.
func surest(a, b string) string {
	if a == records.DeliveryAccepted {
		return a
	}
	return cmp.Or(b, a)
}

// larger is the larger of two bills, segments and cost each for themselves.
func larger(a, b records.Bill) records.Bill {
	cost := a
	if b.CostMicros > a.CostMicros {
		cost = b
	}
	return records.Bill{Segments: max(a.Segments, b.Segments), CostMicros: cost.CostMicros, Currency: cost.Currency}
}

// firstFailed is the fate with the earliest FailedAt, and of two at one instant the one whose Failure, and then FailureCode, is first in
// the alphabet.
func firstFailed(a, b records.Fate) records.Fate {
	switch {
	case b.FailedAt.IsZero():
		return a
	case a.FailedAt.IsZero():
		return b
	}
	if cmp.Or(b.FailedAt.Compare(a.FailedAt), cmp.Compare(b.Failure, a.Failure), cmp.Compare(b.FailureCode, a.FailureCode)) < 0 {
		return b
	}
	return a
}

// earliest is the earlier of two instants; never is behind all.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
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
