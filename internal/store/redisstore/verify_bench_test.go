package redisstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// BenchmarkVerify charges an address, which has four verifies, and compares a right code: with the charge, and after it.
func BenchmarkVerify(b *testing.B) {
	b.Run("together", func(b *testing.B) { benchmarkVerify(b, (*Client).CountersBesideCodes) })
	b.Run("apart", func(b *testing.B) { benchmarkVerify(b, (*Client).Counters) })
}

func benchmarkVerify(b *testing.B, on func(*Client) throttle.Store) {
	s := testserver.Redis(b)
	c := open(b, s.URL())
	store, codes, address, ctx := on(c), c.Codes(), verifyPlan(), context.Background()
	id := func(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
	record := record()
	record.Sealed = make([]byte, 80)
	for n := range b.N {
		if _, err := codes.Put(ctx, id(n+1), record); err != nil {
			b.Fatal(err)
		}
	}
	measured(b, s, func(n int) {
		errand := &sms.VerifyErrand{ID: id(n), Guess: guess(1)}
		taken, err := store.Take(ctx, throttle.Take{
			ID: uint32(n), Errand: errand, Groups: []throttle.Group{{Key: tagged(n/4, "i"), Plan: address}},
		})
		if err == nil && !taken.ErrandDone {
			errand.Record, errand.Err = codes.Verify(ctx, errand.ID, errand.Guess)
		}
		if err != nil || errand.Err != nil {
			b.Error(err, errand.Err)
		}
	})
}

// verifyPlan is the built-in policy's for verifies of an address.
func verifyPlan() *throttle.Plan {
	p := &throttle.Plan{Mark: 7, TTL: time.Minute, Cells: []throttle.Cell{
		{Section: throttle.Verify, Algorithm: throttle.Log, Limit: 60, Window: time.Minute, Slot: 1, Own: 1, Charge: true},
	}}
	p.Retain[throttle.Verify], p.Keep[throttle.Verify] = time.Minute, throttle.Keep{All: 60}
	return p
}
