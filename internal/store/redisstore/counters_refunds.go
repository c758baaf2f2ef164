package redisstore

import (
	"context"
	"errors"
	"sync"

	"smsd/internal/throttle"
)

// refundParts returns a refund for each call that is needed: for each tag in a cluster, and for each clock.
func (c counters) refundParts(r throttle.Refund) []throttle.Refund {
	parts := c.parts(r.Groups)
	if len(parts) < 2 && oneInstant(r) {
		return nil
	}
	if len(parts) == 0 {
		parts = each(len(r.Groups)) // of a cluster's Taken, at one server: only tests do that
	}
	var refunds []throttle.Refund
	for _, own := range refundsOf(r, parts) {
		if oneInstant(own) {
			refunds = append(refunds, own)
			continue
		}
		refunds = append(refunds, refundsOf(own, each(len(own.Groups)))...)
	}
	return refunds
}

// oneInstant reports whether all groups were charged by one clock.
func oneInstant(r throttle.Refund) bool {
	for _, at := range r.GroupAt {
		if !at.Equal(r.GroupAt[0]) {
			return false
		}
	}
	return true
}

// refundsOf divides r.
func refundsOf(r throttle.Refund, parts [][]int) []throttle.Refund {
	starts := []int{0} // of each group's cells in Uncharged
	for _, g := range r.Groups {
		starts = append(starts, starts[len(starts)-1]+len(g.Plan.Cells))
	}
	var all []throttle.Refund
	for _, part := range parts {
		own := throttle.Refund{ID: r.ID, At: r.At}
		for _, i := range part {
			own.Groups = append(own.Groups, r.Groups[i])
			if r.GroupAt != nil {
				own.GroupAt = append(own.GroupAt, r.GroupAt[i])
			}
			if r.Uncharged != nil {
				own.Uncharged = append(own.Uncharged, r.Uncharged[starts[i]:starts[i+1]]...)
			}
		}
		all = append(all, own)
	}
	return all
}

// refundEach makes all refunds at once.
func (c counters) refundEach(ctx context.Context, refunds []throttle.Refund) error {
	errs := make([]error, len(refunds))
	var work sync.WaitGroup
	for i, r := range refunds {
		work.Go(func() { errs[i] = c.refundOnce(ctx, r) })
	}
	work.Wait()
	return errors.Join(errs...)
}
