package records_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"smsd/internal/records"
)

// asideFiles are what is set aside.
func (r *rig) asideFiles() []string {
	r.t.Helper()
	all, err := filepath.Glob(filepath.Join(r.options.Dir, "aside", "*"))
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}

// sendThree sends three, of which the second is the poison.
func (r *rig) sendThree() {
	r.t.Helper()
	for _, id := range []string{"one", "poison", "three"} {
		if err := errors.Join(r.accept(id), r.resend(id)); err != nil {
			r.t.Fatal(id, err)
		}
	}
}

// wantAside demands that all but the poison is there, and that somebody is told of that once.
func (r *rig) wantAside(rows float64) {
	r.t.Helper()
	r.has("one", "three")
	if _, there := r.store.row("poison"); there {
		r.t.Error("the poison was written")
	}
	if !r.book.Behind("poison") || r.book.Behind("one") {
		r.t.Error("whose row is set aside is not known")
	}
	if n := r.metric("set_aside_total"); n != rows || len(r.asideFiles()) == 0 || r.metric("aside_bytes") == 0 {
		r.t.Errorf("%v rows are set aside, in %v", n, r.asideFiles())
	}
	if n := r.log.count("the database refuses rows"); n != 1 || r.log.count(filepath.Join(r.options.Dir, "aside")) != 1 {
		r.t.Errorf("told %d times", n)
	}
	if s := r.book.Status(); !s.Away.IsZero() || s.SpooledBytes != 0 || s.Ready != nil {
		r.t.Errorf("%+v", s)
	}
}

// A row that the database refuses for what is in it holds up no other one, and its client is answered: it is on disk.
func TestARowThatIsRefused(t *testing.T) {
	for _, way := range []records.OnFailure{records.Spool, records.Refuse} {
		t.Run(string(way), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t, func(o *records.Options) { o.OnFailure = way })
				r.store.poison = "poison"
				r.sendThree()
				r.wantAside(2)
				if r.metric("written_total") != 4 || r.metric("spooled_total") != 0 {
					t.Errorf("%v written, %v spooled", r.metric("written_total"), r.metric("spooled_total"))
				}
			})
		})
	}
}

// Nor in the spool, where batches go together.
func TestARowThatIsRefusedInTheSpool(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.set(func(m *memory) { m.poison, m.down = "poison", true })
		r.sendThree()
		r.store.setDown(false)
		r.drained()
		r.wantAside(2)
	})
}

// The next run tries again what was set aside: as long as it is refused it is set aside again, and then it is written, once.
func TestWhatWasSetAsideIsTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.poison = "poison"
		r.sendThree()
		for range 2 {
			r.close()
			r.reopen()
			r.drained()
			if n := r.metric("set_aside_total"); n != 2 || len(r.asideFiles()) == 0 {
				t.Errorf("%v rows are set aside again, in %v", n, r.asideFiles())
			}
		}
		r.close()
		r.store.set(func(m *memory) { m.poison = "" })
		r.reopen()
		r.drained()
		r.has("one", "poison", "three")
		if left := r.asideFiles(); len(left) != 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// Rows that were set aside before a commit that failed are set aside twice, and written once.
func TestWhatIsSetAsideTwiceIsWrittenOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		failures := 0
		r.store.set(func(m *memory) {
			m.poison = "poison"
			m.uncommitted = func() error {
				if failures++; failures%2 == 1 {
					return errDown
				}
				return nil
			}
		})
		r.sendThree()
		r.drained()
		if n := r.metric("set_aside_total"); n != 2 || failures != 4 {
			t.Errorf("%v rows, after %d calls", n, failures)
		}
		r.close()
		r.store.set(func(m *memory) { m.poison = "" })
		r.reopen()
		r.drained()
		r.has("one", "poison", "three")
	})
}

// The same, where the program ends at that commit: the next run finds batches that went together one by one, and sets aside of each what it
// did before.
func TestWhatIsSetAsideByTwoRunsIsWrittenOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.set(func(m *memory) {
			m.poison, m.down = "poison", true
			m.uncommitted = func() error { m.setDown(true); return errDown }
		})
		r.sendThree()
		r.store.setDown(false)
		for len(r.asideFiles()) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		r.close()
		r.store.set(func(m *memory) { m.down, m.uncommitted = false, nil })
		for range 2 {
			r.reopen()
			r.drained()
			r.close()
		}
		r.store.set(func(m *memory) { m.poison = "" })
		r.reopen()
		r.drained()
		r.has("one", "poison", "three")
	})
}

// A database that is far away needs a while to write a batch in parts, and gets it.
func TestABatchInPartsIsGivenTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.set(func(m *memory) { m.poison, m.parts = "poison", 20*time.Second })
		r.sendThree()
		r.drained()
		r.has("one", "three")
	})
}

// A database that refuses everything is no matter of single rows: what has no room beside waits, and nothing is lost.
func TestADatabaseThatRefusesEverything(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, func(o *records.Options) { o.SpoolBytes = 1 << 20 })
		r.store.poison = "poison"
		const rows = 3000
		for range rows {
			r.book.Decide(records.Attempt{At: time.Now(), RequestID: "poison", Outcome: "accepted"})
		}
		time.Sleep(time.Minute)
		if s := r.book.Status(); s.Away.IsZero() || s.SpooledBytes == 0 || r.log.count("set aside in") == 0 {
			t.Errorf("%+v", s)
		}
		if n := r.metric("aside_bytes"); n == 0 || n > 1<<20/8 {
			t.Errorf("%v bytes are set aside", n)
		}
		r.store.set(func(m *memory) { m.poison = "" })
		r.drained()
		r.close()
		r.reopen()
		r.drained()
		if n := len(r.store.decided()); n != rows {
			t.Errorf("%d rows of %d", n, rows)
		}
	})
}

// The names of what was set aside before count on behind those in the spool.
func TestWhatWasSetAsideGoesBehindTheSpool(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.poison = "poison"
		r.sendThree()
		r.store.set(func(m *memory) { m.poison, m.down = "", true })
		for i := range 20 {
			if err := errors.Join(r.accept(id(i)), r.resend(id(i))); err != nil {
				t.Fatal(err)
			}
		}
		r.close()
		r.reopen()
		if left, err := os.ReadDir(filepath.Join(r.options.Dir, "spool")); err != nil || len(left) != 2 {
			t.Errorf("%v, %v", left, err)
		}
		r.store.setDown(false)
		r.drained()
		for i := range 20 {
			r.has(id(i))
		}
		r.has("one", "poison", "three")
	})
}
