package records_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"smsd/internal/records"
)

func TestAnAcceptedRowIsInTheDatabase(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		n := r.send("one")
		if err := r.book.Accept(n).Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		v, ok := r.store.row("one")
		if !ok {
			t.Fatal("answered without a row")
		}
		keys := r.options.Keys
		if v.Whom != keys.Whom(n.Phone, n.Client, n.Device) || v.Country != "CN" || v.Prefix != "+861380013" ||
			v.App != n.App || v.Scene != n.Scene || v.RequestID != n.RequestID || v.PolicyVersion != n.PolicyVersion {
			t.Errorf("row %+v", v)
		}
		if got, err := keys.Open("one", v.Sealed); err != nil || got != n.Phone {
			t.Errorf("opened: %v, %v", got, err)
		}
		if !v.ExpiresAt.Equal(n.ExpiresAt.Truncate(time.Millisecond)) || v.CreatedAt.Location() != time.UTC {
			t.Errorf("from %v to %v", v.CreatedAt, v.ExpiresAt)
		}
	})
}

// A row that comes after a quiet time leaves at once; what comes while a batch is under way goes together.
func TestBatches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		gate := make(chan struct{})
		r.store.before = func(context.Context, records.Batch) error { <-gate; return nil }
		begun := time.Now()
		waits := []*records.Pending{r.book.Accept(r.send(id(0)))}
		time.Sleep(time.Microsecond)
		for i := 1; i <= 1200; i++ {
			waits = append(waits, r.book.Accept(r.send(id(i))))
		}
		close(gate)
		for _, p := range waits {
			if err := p.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var sizes []int
		for _, b := range r.store.taken() {
			sizes = append(sizes, len(b.Verifications))
		}
		if !slices.Equal(sizes, []int{1, 500, 500, 200}) {
			t.Errorf("batches of %v rows", sizes)
		}
		if took := time.Since(begun); took > 3*time.Millisecond {
			t.Errorf("took %s: the first batch and the whole ones need not wait", took)
		}
	})
}

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

func TestRefuse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, func(o *records.Options) { o.OnFailure = records.Refuse })
		if err := r.book.Ready(); err != nil {
			t.Fatal(err)
		}
		r.store.setDown(true)
		begun := time.Now()
		if err := r.accept("one"); !errors.Is(err, records.ErrUnavailable) || time.Since(begun) > records.MaxWait {
			t.Fatalf("%v after %s", err, time.Since(begun))
		}
		if err := r.resend("one"); !errors.Is(err, records.ErrUnavailable) {
			t.Fatal(err)
		}
		if err := r.book.Ready(); !errors.Is(err, records.ErrUnavailable) {
			t.Fatal(err)
		}
		r.store.setDown(false)
		time.Sleep(10 * time.Second)
		if err := r.book.Ready(); err != nil {
			t.Error(err)
		}
		r.has("one") // the message is out, so its row is written for all that
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
		if got := r.store.ids(); !slices.Equal(got, []string{"one", "two", "three"}) {
			t.Errorf("in the order %v", got)
		}
	})
}

func TestCloseWritesWhatWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		var waits []*records.Pending
		for i := range 1200 {
			waits = append(waits, r.book.Accept(r.send(id(i))))
		}
		r.book.Decide(records.Attempt{At: time.Now(), Action: "send", Outcome: "accepted"})
		r.close()
		for i, p := range waits {
			if err := p.Wait(ended()); err != nil {
				t.Fatalf("row %d: %v", i, err)
			}
		}
		if n := len(r.store.ids()); n != 1200 || len(r.store.decided()) != 1 {
			t.Errorf("%d rows, %d decisions", n, len(r.store.decided()))
		}
		if err := r.accept("late"); !errors.Is(err, records.ErrUnavailable) {
			t.Errorf("after the end: %v", err)
		}
		if err := r.book.Ready(); !errors.Is(err, records.ErrUnavailable) {
			t.Errorf("ready after the end: %v", err)
		}
	})
}

// What nothing takes at the end is lost, and that is told.
func TestCloseTellsWhatIsLost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, func(o *records.Options) { o.OnFailure = records.Refuse })
		r.store.setDown(true)
		_ = r.book.Accept(r.send("one"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.book.Close(ctx); err == nil || r.log.count("rows are lost") != 1 || r.metric("lost_total") != 1 {
			t.Errorf("%v, %v rows", err, r.metric("lost_total"))
		}
	})
}

func TestTheQueueIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		hang := make(chan struct{})
		defer close(hang)
		r.store.before = func(context.Context, records.Batch) error { <-hang; return nil }
		taken := 0
		for range 100_000 {
			if r.book.Change(records.Change{SMSID: "one"}).Wait(ended()); r.book.Ready() != nil {
				break
			}
			taken++
		}
		if taken > 40_000 {
			t.Errorf("%d rows wait", taken)
		}
		if err := r.accept("one"); !errors.Is(err, records.ErrUnavailable) || r.metric("refused_total") == 0 {
			t.Errorf("over the bound: %v", err)
		}
	})
}

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

// A batch that nothing takes is tried on under its number.
func TestRefuseWritesOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, func(o *records.Options) { o.OnFailure = records.Refuse })
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
		_ = r.resend("one")
		time.Sleep(10 * time.Second)
		r.has("one")
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

func TestWhatABookRefuses(t *testing.T) {
	t.Parallel()
	good := records.Options{Store: newMemory(), Keys: keysOf(t, 1), Dir: t.TempDir()}
	for name, change := range map[string]func(*records.Options){
		"no store": func(o *records.Options) { o.Store = nil }, "no keys": func(o *records.Options) { o.Keys = nil },
		"no folder": func(o *records.Options) { o.Dir = "" }, "another way": func(o *records.Options) { o.OnFailure = "ignore" },
		"a small spool": func(o *records.Options) { o.SpoolBytes = 1000 }, "a negative rate": func(o *records.Options) { o.DecisionRate = -1 },
	} {
		o := good
		change(&o)
		if _, err := records.Open(o); err == nil {
			t.Errorf("taken: %s", name)
		}
	}
}

// Texts that no database takes do not stop a batch, and long ones are cut.
func TestTextsAreMadeFit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		n := r.send("one")
		n.Scene, n.RequestID = "a\x00b\xff", strings.Repeat("é", 100)
		if err := r.book.Accept(n).Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v, _ := r.store.row("one"); v.Scene != "a?b?" || len(v.RequestID) > 128 || !utf8.ValidString(v.RequestID) {
			t.Errorf("%q, %q", v.Scene, v.RequestID)
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
		if r.log.count("is damaged") != 1 || r.metric("spool_damaged_bytes_total") == 0 {
			t.Error("it was not told")
		}
		if err := errors.Join(r.accept("two"), r.resend("two")); err != nil {
			t.Fatal(err)
		}
		r.has("two")
	})
}
