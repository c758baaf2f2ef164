package records_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
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

func TestCloseWritesWhatWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		gate := make(chan struct{})
		r.store.before = func(context.Context, records.Batch) error { <-gate; return nil }
		var waits []*records.Pending
		for i := range 1200 {
			waits = append(waits, r.book.Accept(r.send(id(i))))
		}
		for i := range 10 {
			r.book.Decide(refusal(r.number, "hour", i))
		}
		time.AfterFunc(time.Millisecond, func() { close(gate) })
		r.close()
		for i, p := range waits {
			if err := p.Wait(ended()); err != nil {
				t.Fatalf("row %d: %v", i, err)
			}
		}
		if n := len(r.store.ids()); n != 1200 || attempts(r.store.decided()) != 10 {
			t.Errorf("%d rows, %d attempts", n, attempts(r.store.decided()))
		}
		if err := r.accept("late"); !errors.Is(err, records.ErrUnavailable) {
			t.Errorf("after the end: %v", err)
		}
		if err := r.book.Ready(); !errors.Is(err, records.ErrUnavailable) {
			t.Errorf("ready after the end: %v", err)
		}
	})
}

func TestTheQueueIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		hang := make(chan struct{})
		defer close(hang)
		r.store.before = func(context.Context, records.Batch) error { <-hang; return nil }
		r.book.Change(records.Change{SMSID: "one"})
		synctest.Wait() // the batch that hangs is out, and no other leaves the queue while it fills
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
