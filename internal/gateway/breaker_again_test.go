package gateway_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/gateway"
)

// An oddity is numbers, as many as open their country's circuit, that make a carrier fail in a way that no table knows.
type oddity struct {
	reason   gateway.Reason
	numbers  []string
	shortest time.Duration // for which they shut it
}

var oddities = []oddity{
	{gateway.Temporary, []string{another(1), another(2), another(3), another(1), another(2)}, time.Second},
	{gateway.Temporary, []string{another(1), another(2), another(3), another(4), another(5)}, time.Second},
	{gateway.Configuration, []string{another(1)}, 5 * time.Second},
}

// meets is a carrier that fails with those numbers alone, behind a breaker whose circuit they have just opened.
func (o oddity) meets(t *testing.T) (*carrier, *gateway.Router) {
	t.Helper()
	only := newCarrier()
	only.says = func(number string) error {
		if slices.Contains(o.numbers, number) {
			return refuses(o.reason)
		}
		return nil
	}
	r := broken(t, nil, only)
	o.asks(t, r)
	if calls, _ := only.asked(r, china); calls != 0 {
		t.Fatal("they open nothing")
	}
	return only, r
}

// asks has each of the numbers ask.
func (o oddity) asks(t *testing.T, r *gateway.Router) {
	for _, number := range o.numbers {
		_, _ = r.Send(t.Context(), to(number))
	}
}

// A few people whose numbers a carrier refuses, each with a code that no table knows, shut their country for a moment. However long they
// go on, it is not shut for longer than that: the next one with another number is let through.
func TestTheSameNumbersShutACountryForAMoment(t *testing.T) {
	t.Parallel()
	for _, o := range oddities {
		for after := range 100 {
			synctest.Test(t, func(t *testing.T) {
				only, r := o.meets(t)
				time.Sleep(o.shortest)
				for range after {
					o.asks(t, r)
					time.Sleep(time.Second)
				}
				for range 2 { // it is closed then
					if calls, err := only.asked(r, china); calls != 1 || err != nil {
						t.Fatalf("%s, after %d s: another number: %d calls, %v", o.reason, after, calls, err)
					}
				}
			})
		}
	}
}

// They themselves ask less and less often, as if each time had shut it for longer.
func TestTheSameNumbersAskLessAndLess(t *testing.T) {
	t.Parallel()
	for _, o := range oddities {
		synctest.Test(t, func(t *testing.T) {
			only, r := o.meets(t)
			began := time.Now()
			wait := 2 * o.shortest
			for range 3 {
				for calls := only.calls.Load(); only.calls.Load() == calls; time.Sleep(time.Second) {
					o.asks(t, r)
				}
				if passed := time.Since(began.Add(time.Second)); passed != wait {
					t.Errorf("%s: they were asked for after %s, want %s", o.reason, passed, wait)
				}
				began, wait = began.Add(wait), 2*wait
			}
		})
	}
}
