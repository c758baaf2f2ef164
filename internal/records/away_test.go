package records_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"smsd/internal/deadline"
	"smsd/internal/records"
)

func TestRowsGoToTheSpoolWhileTheDatabaseIsAway(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		for _, step := range []error{r.accept("one"), r.resend("one"), r.accept("two"), r.resend("two"), r.book.Ready()} {
			if step != nil {
				t.Fatal(step)
			}
		}
		if s := r.book.Status(); s.Away.IsZero() || s.SpooledBytes == 0 || r.metric("away") != 1 || r.metric("spool_batches") < 2 {
			t.Errorf("status %+v", s)
		}
		r.store.setDown(false)
		r.drained()
		r.has("one", "two")
		if got := r.store.ids(); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("in the order %v", got)
		}
		if r.metric("away") != 0 || r.metric("spool_bytes") != 0 || r.metric("spool_batches") != 0 || r.metric("spooled_total") != 4 {
			t.Error("the metrics did not follow")
		}
	})
}

// A change of a row that another instance has in its spool waits for it in the database.
func TestAChangeThatComesBeforeItsRow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		other := newRig(t, func(o *records.Options) { o.Store = r.store })
		r.store.set(func(m *memory) {
			m.before = func(_ context.Context, b records.Batch) error {
				if len(b.Verifications) > 0 {
					return errDown // they are the first instance's
				}
				return nil
			}
		})
		for _, step := range []error{r.accept("one"), other.resend("one")} {
			if step != nil {
				t.Fatal(step)
			}
		}
		if _, there := r.store.row("one"); there || other.metric("spooled_total") != 0 {
			t.Error("the row is not in the spool, or the change is")
		}
		r.store.set(func(m *memory) { m.before = nil })
		r.drained()
		r.has("one")
	})
}

// Who committed and then failed has the batch once, though it is made again from the spool.
func TestAStoreThatCommitsAndThenFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		if err := r.accept("one"); err != nil {
			t.Fatal(err)
		}
		failures := 3
		r.store.set(func(m *memory) {
			m.after = func(context.Context, records.Batch) error {
				if failures--; failures >= 0 {
					return errDown
				}
				return nil
			}
		})
		for range 20 {
			if err := r.resend("one"); err != nil {
				t.Fatal(err)
			}
		}
		r.drained()
		if v, _ := r.store.row("one"); v.Fate.Resends != 20 {
			t.Errorf("%d resends of 20", v.Fate.Resends)
		}
	})
}

// Nobody waits for a store that hangs, even past its deadline: the batch goes to the spool too, and is written once.
func TestAStoreThatHangs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		hang := make(chan struct{})
		r.store.before = func(context.Context, records.Batch) error { <-hang; return nil }
		begun := time.Now()
		first := r.book.Accept(r.send("one"))
		time.Sleep(time.Millisecond)
		second := r.book.Accept(r.send("two"))
		for _, p := range []*records.Pending{first, second} {
			if err := p.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took > records.MaxWait {
			t.Errorf("took %s", took)
		}
		if err := errors.Join(r.resend("one"), r.resend("two")); err != nil {
			t.Fatal(err)
		}
		close(hang)
		r.drained()
		r.has("one", "two")
	})
}

// Whoever opens the book may say how long a row is waited for.
func TestAnotherWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const wait = 100 * time.Millisecond // before the batch goes to the spool
		r := newRig(t, func(o *records.Options) { o.Wait = wait })
		hang := make(chan struct{})
		r.store.before = func(context.Context, records.Batch) error { <-hang; return nil }
		begun := time.Now()
		if err := r.accept("one"); !errors.Is(err, records.ErrUnavailable) || time.Since(begun) != wait {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		close(hang)
		if err := r.resend("one"); err != nil {
			t.Error(err)
		}
		r.has("one")
	})
}

// Who waits for less gets the end of his own time, whichever kind of context tells it, and to the instant.
func TestAWaitThatItsCallerEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		hang := make(chan struct{})
		r.store.before = func(context.Context, records.Batch) error { <-hang; return nil }
		p := r.book.Accept(r.send("one"))
		const wait = 50 * time.Millisecond
		for name, bounded := range map[string]func() (context.Context, func()){
			"standard": func() (context.Context, func()) { return context.WithTimeout(t.Context(), wait) },
			"deadline": func() (context.Context, func()) {
				c := deadline.New(t.Context(), time.Now().Add(wait))
				return c, c.End
			},
			"cancelled": func() (context.Context, func()) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				time.AfterFunc(wait, cancel)
				return ctx, cancel
			},
		} {
			ctx, end := bounded()
			begun := time.Now()
			err := p.Wait(ctx)
			if !errors.Is(err, records.ErrUnavailable) || time.Since(begun) != wait {
				t.Errorf("%s: %v after %s", name, err, time.Since(begun))
			}
			if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: the error does not say that the caller's time was up: %v", name, err)
			}
			end()
		}
		close(hang)
		r.drained()
	})
}

func TestASpoolThatIsFull(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, func(o *records.Options) { o.SpoolBytes = 1 << 20 })
		r.store.setDown(true)
		kept := 0
		for r.book.Ready() == nil {
			var waits []*records.Pending
			for range 100 {
				waits = append(waits, r.book.Accept(r.send(id(kept))), r.book.Change(records.Change{SMSID: id(kept), Fate: records.Fate{Resends: 1}}))
				kept++
			}
			for _, p := range waits {
				if err := p.Wait(t.Context()); err != nil {
					t.Fatalf("row %d, though it was ready: %v", kept, err)
				}
			}
		}
		if err := r.book.Ready(); !errors.Is(err, records.ErrUnavailable) || kept < 500 || r.metric("spool_bytes") > 1<<20 {
			t.Fatalf("%v after %d rows, %v bytes", err, kept, r.metric("spool_bytes"))
		}
		r.store.setDown(false)
		r.drained()
		for i := range kept {
			r.has(id(i))
		}
		if err := r.book.Ready(); err != nil {
			t.Error(err)
		}
	})
}

// The next run writes what the one before left, first and once.
func TestAnEarlierRunsSpoolIsFirst(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		for _, id := range []string{"one", "two"} {
			if err := errors.Join(r.accept(id), r.resend(id)); err != nil {
				t.Fatal(err)
			}
		}
		r.close()
		r.reopen()
		if err := errors.Join(r.accept("three"), r.resend("three")); err != nil {
			t.Fatal(err)
		}
		r.store.setDown(false)
		r.drained()
		r.has("one", "two", "three")
		if r.log.count("an earlier run left a spool") != 1 || r.log.count("has all that was spooled") != 1 {
			t.Error("the log was not told")
		}
		if got := r.store.ids(); !slices.Equal(got, []string{"one", "two", "three"}) {
			t.Errorf("in the order %v", got)
		}
	})
}

// Where neither takes rows nothing is answered for and nothing more accepted; what was handed over is kept in memory, and
// written when either is back.
func TestNeitherDatabaseNorSpool(t *testing.T) {
	for _, back := range []string{"database", "spool"} {
		t.Run(back, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				r := newRig(t)
				folder := filepath.Join(r.options.Dir, "spool")
				if err := os.RemoveAll(folder); err != nil {
					t.Fatal(err)
				}
				r.store.setDown(true)
				begun := time.Now()
				if err := r.accept("one"); !errors.Is(err, records.ErrUnavailable) || time.Since(begun) > records.MaxWait {
					t.Fatalf("%v after %s", err, time.Since(begun))
				}
				if err := r.book.Ready(); !errors.Is(err, records.ErrUnavailable) {
					t.Fatalf("ready: %v", err)
				}
				if err := r.resend("one"); !errors.Is(err, records.ErrUnavailable) {
					t.Fatalf("kept: %v", err)
				}
				if back == "database" {
					r.store.setDown(false)
				} else if err := os.Mkdir(folder, 0o700); err != nil {
					t.Fatal(err)
				}
				time.Sleep(10 * time.Second)
				if err := errors.Join(r.book.Ready(), r.accept("two"), r.resend("two")); err != nil {
					t.Fatal(err)
				}
				r.store.setDown(false)
				r.drained()
				r.has("one", "two")
			})
		})
	}
}

// Decisions leave the spool's second half to rows that somebody waits for.
func TestDecisionsInAFullSpool(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, func(o *records.Options) { o.SpoolBytes = 1 << 20 })
		r.store.setDown(true)
		for i := range 10_000 {
			a := refusal(r.number, "", i)
			a.AtWill = false
			r.book.Decide(a)
		}
		time.Sleep(5 * time.Second)
		if err := errors.Join(r.book.Ready(), r.accept("one"), r.resend("one")); err != nil {
			t.Fatal(err)
		}
		if r.metric("decisions_dropped_total") == 0 || r.metric("spool_bytes") > 1<<20*3/4 {
			t.Errorf("%v dropped, %v bytes", r.metric("decisions_dropped_total"), r.metric("spool_bytes"))
		}
		r.store.setDown(false)
		r.drained()
		r.has("one")
		if n := float64(len(r.store.decided())); n == 0 || n+r.metric("decisions_dropped_total") != 10_000 {
			t.Errorf("%v rows, %v dropped", n, r.metric("decisions_dropped_total"))
		}
	})
}

// Files that somebody removes are told of, and do not hold up what follows.
func TestASpoolThatSomebodyRemoves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		if err := r.accept("one"); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(r.options.Dir, "spool", "*"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if err := os.Remove(files[0]); err != nil {
			t.Fatal(err)
		}
		r.store.setDown(false)
		r.drained()
		if r.log.count("was removed or cut off") != 1 || r.metric("spool_damaged_bytes_total") == 0 {
			t.Error("it was not told")
		}
		if err := errors.Join(r.accept("two"), r.resend("two")); err != nil {
			t.Fatal(err)
		}
		r.has("two")
	})
}

// A file that is damaged in many places is told of once, is kept, and holds up nothing.
func TestASpoolOnADiskThatForgets(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.setDown(true)
		for i := range 50 {
			if err := errors.Join(r.accept(id(i)), r.resend(id(i))); err != nil {
				t.Fatal(err)
			}
		}
		r.close()
		path := filepath.Join(r.options.Dir, "spool", "0000000001.spool")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := len(data) / 7; at < len(data); at += len(data) / 7 {
			data[at] ^= 0x55
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r.reopen()
		r.store.setDown(false)
		r.drained()
		if n := len(r.store.ids()); n < 43 || n == 50 {
			t.Errorf("%d rows are there", n)
		}
		if left, err := records.LookIn(r.options.Dir); err != nil || !slices.Equal(left.Damaged, []string{path + ".damaged"}) || r.log.count("is damaged") != 1 {
			t.Errorf("%v, told %d times", err, r.log.count("is damaged"))
		}
	})
}
