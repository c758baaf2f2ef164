package memstore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"smsd/internal/proof"
	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
)

func TestConsumed(t *testing.T) {
	t.Parallel()
	storetest.Consumed(t, func(*testing.T) proof.Consumed { return memstore.NewConsumed(memstore.Options{}) })
}

// A full store refuses what is new, forgets nothing before its time, and has room again after it.
func TestFullConsumed(t *testing.T) {
	t.Parallel()
	clock := memstore.NewClock(func() time.Time { return time.Unix(1_800_000_000, 0) })
	c := memstore.NewConsumed(memstore.Options{Clock: clock, MaxConsumed: 3})
	consume := func(i int) error {
		return c.Consume(t.Context(), fmt.Sprint(i), "default", clock.Now().Add(time.Duration(10-i)*time.Second))
	}
	for i := range 3 { // the first lives longest
		if err := consume(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := consume(3); !errors.Is(err, proof.ErrUnavailable) {
		t.Errorf("full: %v", err)
	}
	clock.Advance(8 * time.Second)
	for i, want := range []error{proof.ErrConsumed, proof.ErrConsumed, nil, proof.ErrUnavailable} {
		if err := consume(i); !errors.Is(err, want) {
			t.Errorf("token %d after 8 s: %v, want %v", i, err, want)
		}
	}
	if c.Len() != 3 {
		t.Errorf("it holds %d", c.Len())
	}
}
