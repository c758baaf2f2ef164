package storetest

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"smsd/internal/throttle"
)

var storeTests = []countersTest{
	{"parallel first takes give exactly Limit (boulder#7886, #7780, #8674)", raceTake},
	{"parallel refunds of one take give it back once", raceRefund},
	{"keys and tags are told apart", storeKeys},
	{"reset empties what is tagged, shadows too", storeReset},
	{"a take without groups is allowed", storeNothing},
	{"a call whose context has ended is unavailable and changes nothing", storeEnded},
}

func raceTake(b *countersBench) {
	const callers, limit = 200, 37
	log := group(phoneKey, plan(logCell(limit, time.Hour), slotted(counterCell(1000, time.Hour), 2)))
	counter := group(otherKey, plan(counterCell(limit, time.Hour)))
	for _, groups := range [][]throttle.Group{{log}, {counter, group(phoneNet, plan(logCell(1000, time.Hour)))}} {
		var passed atomic.Int64
		together(callers, func() {
			taken, err := b.store.Take(b.Context(), throttle.Take{ID: rand.Uint32(), Groups: groups})
			if err != nil {
				b.Error(err)
			} else if taken.Allowed {
				passed.Add(1)
			}
		})
		if passed.Load() != limit {
			b.Errorf("%d passed, want %d", passed.Load(), limit)
		}
	}
	b.uses(log, limit, limit)
	b.uses(group(phoneNet, plan(logCell(1000, time.Hour))), limit)
}

func raceRefund(b *countersBench) {
	g := group(phoneKey, plan(logCell(9, time.Hour)))
	b.exhaust(4, g)
	t, taken := b.allowed(g)
	together(20, func() {
		if err := b.store.Refund(b.Context(), throttle.Refund{ID: t.ID, At: taken.At, Groups: t.Groups}); err != nil {
			b.Error(err)
		}
	})
	b.uses(g, 4)
}

func together(n int, do func()) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range n {
		wg.Go(func() {
			<-start
			do()
		})
	}
	close(start)
	wg.Wait()
}

func storeKeys(b *countersBench) {
	p := plan(logCell(9, time.Hour))
	for i, k := range []throttle.Key{phoneKey, phoneNet, otherKey} {
		b.exhaust(i+1, group(k, p))
	}
	for i, k := range []throttle.Key{phoneKey, phoneNet, otherKey} {
		b.uses(group(k, p), int64(i+1))
	}
}

func storeReset(b *countersBench) {
	p := plan(logCell(9, time.Hour), shaded(slotted(logCell(9, time.Hour), 2)))
	all := []throttle.Group{group(phoneKey, p), group(phoneNet, p), group(otherKey, p)}
	b.exhaust(2, all...)
	if err := b.store.Reset(b.Context(), phoneKey.Tag, "never-was-AAAAAAAAAAAA"); err != nil {
		b.Fatal(err)
	}
	for i, want := range []int64{0, 0, 2} {
		b.uses(all[i], want, want)
	}
	b.allowed(all...)
}

func storeNothing(b *countersBench) {
	b.allowed()
	if !b.peek().Allowed {
		b.Error("refused")
	}
}

func storeEnded(b *countersBench) {
	g := group(phoneKey, plan(logCell(9, time.Hour)))
	t, taken := b.allowed(g)
	ctx, cancel := context.WithCancel(b.Context())
	cancel()
	_, err := b.store.Take(ctx, throttle.Take{ID: 1, Groups: []throttle.Group{g}})
	b.unavailable(err)
	_, err = b.store.Peek(ctx, throttle.Take{ID: 1, Groups: []throttle.Group{g}})
	b.unavailable(err)
	b.unavailable(b.store.Refund(ctx, throttle.Refund{ID: t.ID, At: taken.At, Groups: t.Groups}))
	b.unavailable(b.store.Reset(ctx, phoneKey.Tag))
	b.uses(g, 1)
}
