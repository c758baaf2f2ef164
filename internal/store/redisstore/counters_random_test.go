package redisstore

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

func TestRandom(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	now := time.UnixMilli(1784600000123).UTC()
	clock := func() time.Time { return now }
	a := memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock)})
	b := open(t, s.URL(), withClock(clock)).Counters()
	for seed := range uint64(40) {
		random(t, seed, a, b, func(d time.Duration) { now = now.Add(d) })
	}
}

func random(t *testing.T, seed uint64, a, b throttle.Store, advance func(time.Duration)) {
	r := rand.New(rand.NewPCG(seed, 1))
	ctx := t.Context()
	kinds := map[string]int{}
	type past struct{ refund throttle.Refund }
	var pasts []past
	newPlan := func() *throttle.Plan {
		p := &throttle.Plan{Mark: uint16(1 + r.IntN(3)), Shadow: r.IntN(4) == 0, TTL: time.Hour}
		for i := range p.Retain {
			p.Retain[i] = 20 * time.Second
			p.Keep[i] = throttle.Keep{All: 3 + r.IntN(6), PerMark: 2 + r.IntN(3)}
		}
		slots := r.Perm(8)
		for i := range 1 + r.IntN(5) {
			c := throttle.Cell{Section: throttle.Event(r.IntN(3)), Algorithm: throttle.Log, Limit: int64(1 + r.IntN(6)),
				Window: time.Duration(1000+1000*r.IntN(19)) * time.Millisecond, Slot: uint32(slots[i]), Charge: r.IntN(4) > 0}
			if r.IntN(2) == 0 {
				c.Algorithm = throttle.Counter
			}
			if p.Shadow {
				c.Mark = uint16(10 + slots[i])
			} else if r.IntN(2) == 0 {
				c.Mark = p.Mark
			}
			p.Cells = append(p.Cells, c)
		}
		return p
	}
	var plans []*throttle.Plan
	for range 12 {
		plans = append(plans, newPlan())
	}
	for i := range 600 {
		switch n := r.IntN(20); {
		case n < 8:
			advance(time.Duration(r.IntN(1500)) * time.Millisecond)
		case n == 8:
			advance(-time.Duration(r.IntN(5000)) * time.Millisecond)
		case n == 9:
			advance(time.Duration(r.IntN(30000)) * time.Millisecond)
		case n == 10:
			plans[r.IntN(len(plans))] = newPlan()
		}
		if len(pasts) > 0 && r.IntN(6) == 0 {
			p := pasts[r.IntN(len(pasts))].refund
			if err := a.Refund(ctx, p); err != nil {
				t.Fatal(err)
			}
			if err := b.Refund(ctx, p); err != nil {
				t.Fatal(err)
			}
			continue
		}
		tk := throttle.Take{ID: r.Uint32(), Force: r.IntN(5) == 0}
		for _, k := range r.Perm(3)[:1+r.IntN(3)] {
			tk.Groups = append(tk.Groups, throttle.Group{Key: throttle.Key{Tag: throttle.Tag(fmt.Sprint("tag", seed, k)), Name: "p"}, Plan: plans[r.IntN(len(plans))]})
		}
		f, name := throttle.Store.Take, "take"
		if r.IntN(5) == 0 {
			f, name = throttle.Store.Peek, "peek"
		}
		burst := 1
		if tk.Force && r.IntN(8) == 0 {
			burst = 140
		}
		for range burst {
			x, err := f(a, ctx, tk)
			if err != nil {
				t.Fatal(err)
			}
			y, err := f(b, ctx, tk)
			if err != nil {
				t.Fatal(err)
			}
			kinds[fmt.Sprint(name, x.Allowed)]++
			if !reflect.DeepEqual(x, y) {
				for _, g := range tk.Groups {
					t.Logf("%+v %+v %+v", g.Key, g.Plan.Cells, g.Plan.Shadow)
				}
				t.Fatalf("seed %d op %d %s force %v\nmem   %+v\nredis %+v", seed, i, name, tk.Force, x, y)
			}
			if name == "take" && x.Allowed {
				ref := throttle.Refund{ID: tk.ID, At: x.At, Groups: tk.Groups}
				n := 0
				for _, g := range tk.Groups {
					for range g.Plan.Cells {
						ref.Uncharged = append(ref.Uncharged, g.Plan.Shadow && !tk.Force && x.Verdicts[n].Refused)
						n++
					}
				}
				pasts = append(pasts, past{ref})
			}
		}
	}
	t.Log(kinds)
}
