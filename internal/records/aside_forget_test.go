package records_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"smsd/internal/records"
)

const day = 24 * time.Hour

// setAside has a row of a send set aside that was accepted so long ago, a resend of it, and the log's row of it.
func (r *rig) setAside(id string, ago time.Duration) {
	r.t.Helper()
	r.store.set(func(m *memory) { m.poison = id })
	v := r.send(id)
	v.CreatedAt = v.CreatedAt.Add(-ago)
	r.book.Decide(records.Attempt{At: v.CreatedAt, RequestID: id, Outcome: "accepted"})
	if err := errors.Join(r.book.Accept(v).Wait(r.t.Context()), r.resend(id)); err != nil {
		r.t.Fatal(err)
	}
	time.Sleep(time.Minute) // the log's row goes later
	if !r.book.Behind(id) {
		r.t.Fatal(id, "is not set aside")
	}
}

// sweeps is a sweep so much later, of what is kept for 30 days, and in the log for 180.
func (r *rig) sweeps(later time.Duration) {
	r.t.Helper()
	now := func() time.Time { return time.Now().Add(later) }
	s, err := records.NewSweeper(records.SweepOptions{Keeper: &shelf{}, Files: r.book, Now: now})
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := s.Sweep(r.t.Context()); err != nil {
		r.t.Error(err)
	}
}

// asideHolds is how often a text is in what is set aside.
func (r *rig) asideHolds(text string) (n int) {
	r.t.Helper()
	for _, path := range r.asideFiles() {
		data, err := os.ReadFile(path)
		if err != nil {
			r.t.Fatal(err)
		}
		n += strings.Count(string(data), text)
	}
	return n
}

// aged gives files this instant by the test's clock, as which the system has another one.
func (r *rig) aged(paths []string) {
	r.t.Helper()
	for _, path := range paths {
		if err := os.Chtimes(path, time.Now(), time.Now()); err != nil {
			r.t.Fatal(err)
		}
	}
}

// Nobody repairs what refuses a row: then it is kept for as long as its kind, and no longer, in whichever file and however often the
// program is started meanwhile. What is younger stays, and is written once it can be.
func TestWhatIsSetAsideIsKeptAsLongAsItsKind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.setAside("young", 29*day)
		r.setAside("old", 31*day)
		r.sweeps(0)
		if n := r.asideHolds(`"sealed"`); n != 1 || r.asideHolds("r-young") != 1 {
			t.Errorf("%d numbers are set aside, %d of the young row", n, r.asideHolds("r-young"))
		}
		if n := r.asideHolds(`"decisions"`); n != 2 {
			t.Errorf("the log's rows are set aside %d times", n)
		}
		if r.book.Behind("old") || !r.book.Behind("young") {
			t.Error("whose row is set aside is not known")
		}
		r.sweeps(2 * day)
		if n := r.asideHolds(`"sealed"`); n != 0 {
			t.Errorf("%d numbers are set aside", n)
		}
		r.aged(r.asideFiles())
		r.sweeps(180 * day)
		if left := r.asideFiles(); len(left) != 0 || r.metric("aside_bytes") != 0 {
			t.Errorf("left: %v", left)
		}
	})
}

// What a sweep leaves is as whole as before.
func TestWhatASweepLeavesAsideIsTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.setAside("old", 31*day)
		r.setAside("young", day)
		r.sweeps(0)
		r.close()
		r.store.set(func(m *memory) { m.poison = "" })
		r.reopen()
		r.drained()
		r.has("young")
		if _, there := r.store.row("old"); there || len(r.asideFiles()) != 0 {
			t.Errorf("old: %t, left: %v", there, r.asideFiles())
		}
	})
}

// A damaged file is kept for nobody who might know how to read it once its rows are too old.
func TestADamagedFileIsKeptAsLongAsRows(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		path := filepath.Join(r.options.Dir, "spool", "0000000007.spool.damaged")
		if err := os.WriteFile(path, []byte("rows"), 0o600); err != nil {
			t.Fatal(err)
		}
		r.aged([]string{path})
		for _, days := range []time.Duration{29, 31} {
			r.sweeps(days * day)
			if _, err := os.Stat(path); (err == nil) != (days == 29) {
				t.Errorf("after %d days: %v", days, err)
			}
		}
	})
}

// With no room aside nothing goes on, and with room all does by itself: somebody who moves the files away need not start smsd again.
func TestRoomAsideIsFoundAgain(t *testing.T) {
	for _, way := range []records.OnFailure{records.Spool, records.Refuse} {
		t.Run(string(way), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t, func(o *records.Options) { o.SpoolBytes, o.OnFailure = 1<<20, way })
				r.store.poison = "poison"
				for range 3000 {
					r.book.Decide(records.Attempt{At: time.Now(), RequestID: "poison", Outcome: "accepted"})
				}
				time.Sleep(time.Minute)
				if s := r.book.Status(); s.Away.IsZero() || r.log.count("and is full: repair what refuses the rows") == 0 {
					t.Fatalf("%+v", s)
				}
				if err := r.accept("other"); (err == nil) != (way == records.Spool) {
					t.Errorf("a send: %v", err)
				}
				for range 10 { // with files of others beside them, they may be full again
					for _, path := range r.asideFiles() {
						if err := os.Remove(path); err != nil {
							t.Fatal(err)
						}
					}
					time.Sleep(time.Minute)
				}
				if s := r.book.Status(); !s.Away.IsZero() || s.Ready != nil || s.SpooledBytes != 0 {
					t.Errorf("%+v", s)
				}
				if err := errors.Join(r.accept("last"), r.resend("last")); err != nil {
					t.Error(err)
				}
				r.has("last")
			})
		})
	}
}

// A file that is moved away while smsd runs takes no more rows with it.
func TestWhatIsSetAsideGoesIntoAFileThatIsThere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.setAside("first", 0)
		for _, path := range r.asideFiles() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		r.setAside("second", 0)
		if r.asideHolds("r-second") == 0 {
			t.Errorf("it is in none of %v", r.asideFiles())
		}
	})
}

// What somebody has given up by removing its file counts no more, nor is its row waited for: at once, not with the next sweep.
func TestWhatIsRemovedByHandIsForgottenAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.setAside("old", 31*day)
		r.setAside("given-up", 0)
		r.sweeps(0) // what comes then has a file of its own
		gone := r.asideFiles()
		r.setAside("kept", 0)
		for _, path := range gone {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if r.book.Behind("given-up") || !r.book.Behind("kept") {
			t.Error("whose row is set aside is not known")
		}
		if err := os.RemoveAll(filepath.Join(r.options.Dir, "aside")); err != nil {
			t.Fatal(err)
		}
		if n := r.metric("aside_bytes"); n != 0 || r.book.Behind("kept") {
			t.Errorf("%v bytes are set aside", n)
		}
	})
}
