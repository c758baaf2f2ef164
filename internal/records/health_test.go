package records_test

import (
	"testing"
	"time"
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
