package records_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"smsd/internal/records"
)

// What was spooled in small batches is replayed in large ones, but for the batch that was under way when the database
// went.
func TestReplaysGoTogether(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		for i := range 300 {
			if err := r.accept(id(i)); err != nil {
				t.Fatal(err)
			}
		}
		r.store.setDown(false)
		r.drained()
		if n := len(r.store.taken()); len(r.store.ids()) != 300 || n != 2 {
			t.Errorf("%d rows in %d batches", len(r.store.ids()), n)
		}
	})
}

// A replay of which nobody can tell whether it was executed is made again as it was, whatever was spooled behind it
// meanwhile: the first call may be under way still.
func TestAReplayIsMadeAgainAsItWas(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		for i := range 20 {
			if err := r.accept(id(i)); err != nil {
				t.Fatal(err)
			}
		}
		r.store.set(func(m *memory) {
			m.down = false
			m.before = func(context.Context, records.Batch) error {
				if len(r.store.made()) == 2 {
					return errDown
				}
				return nil
			}
		})
		for i := 20; len(r.store.made()) < 2; i++ {
			if err := r.accept(id(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.accept("behind"); err != nil {
			t.Fatal(err)
		}
		r.drained()
		if calls := r.store.made(); len(calls) < 4 || len(calls[1].Verifications) < 19 || !reflect.DeepEqual(calls[1], calls[2]) {
			t.Errorf("%d calls: batch %d of %d rows, then %d of %d", len(calls),
				calls[1].Seq, len(calls[1].Verifications), calls[2].Seq, len(calls[2].Verifications))
		}
	})
}

// A replay that failed half-way is made again under the numbers that it had, by the next run too, and nothing is doubled.
func TestAReplayThatFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		for i := range 50 {
			if err := errors.Join(r.accept(id(i)), r.resend(id(i))); err != nil {
				t.Fatal(err)
			}
		}
		calls := 0
		r.store.set(func(m *memory) {
			m.down = false
			m.after = func(context.Context, records.Batch) error {
				if calls++; calls%3 != 0 {
					return errDown
				}
				return nil
			}
		})
		time.Sleep(300 * time.Millisecond)
		r.close()
		r.reopen()
		r.drained()
		for i := range 50 {
			r.has(id(i))
		}
	})
}
