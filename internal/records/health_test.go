package records_test

import (
	"context"
	"testing"
	"time"

	"smsd/internal/records"
)

// One line when it goes, one a minute at most in between, one when it is back.
func TestTheLogOfAnOutage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		if err := r.accept("one"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3*time.Minute + 30*time.Second)
		if n := r.log.count("is away"); n != 4 {
			t.Errorf("%d lines in three and a half minutes", n)
		}
		r.store.setDown(false)
		r.drained()
		if r.log.count("has all that was spooled") != 1 || r.log.count("replayed=1") != 1 {
			t.Error("no line when it was back")
		}
	})
}

// A database that comes and goes does not fill the log.
func TestTheLogOfAFlappingDatabase(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		for i := range 20 {
			r.store.setDown(true)
			if err := r.accept(id(i)); err != nil {
				t.Fatal(err)
			}
			r.store.setDown(false)
			r.drained()
		}
		if n := r.log.count("is away"); n != 1 {
			t.Errorf("%d lines", n)
		}
	})
}

// A database that answers and takes nothing, as one whose disk is full, is away all the time, with a spool and without; one that
// has taken what waits is not.
func TestADatabaseThatOnlyAnswers(t *testing.T) {
	for _, way := range []records.OnFailure{records.Spool, records.Refuse} {
		t.Run(string(way), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t, func(o *records.Options) { o.OnFailure = way })
				full := func(context.Context, records.Batch) error { return errDown }
				r.store.set(func(m *memory) { m.before = full })
				_ = r.accept("one")
				for range 500 {
					if r.book.Status().Away.IsZero() || r.metric("away") != 1 {
						t.Fatalf("%+v, %v", r.book.Status(), r.metric("away"))
					}
					time.Sleep(7 * time.Millisecond)
				}
				if n := r.log.count("the database is there"); n != 0 {
					t.Errorf("%d lines that it is back", n)
				}
				r.store.set(func(m *memory) { m.before = nil })
				r.drained()
				if r.metric("away") != 0 || r.log.count("the database is there") != 1 || r.book.Ready() != nil {
					t.Errorf("back: %v, %v", r.metric("away"), r.book.Ready())
				}
				_ = r.resend("one")
				r.has("one")
			})
		})
	}
}

// A start with something to replay tells that, and not in the same breath that the database, which is only being reached, is away.
func TestTheLogOfAStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		if err := r.accept("one"); err != nil {
			t.Fatal(err)
		}
		r.close()
		before := r.log.count("is away")
		r.reopen()
		time.Sleep(50 * time.Second)
		if n := r.log.count("is away") - before; n != 0 || r.log.count("an earlier run left a spool") != 1 {
			t.Errorf("%d lines that it is away", n)
		}
		time.Sleep(50 * time.Second)
		if n := r.log.count("is away") - before; n != 1 {
			t.Errorf("%d lines that it is away after a minute and a half", n)
		}
		r.store.setDown(false)
		r.drained()
		if n := r.log.count("the database is there, and has all"); n != 1 {
			t.Errorf("%d lines that it is there", n)
		}
	})
}
