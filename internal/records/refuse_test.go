package records_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"smsd/internal/records"
)

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

// What an earlier run has spooled, or set aside, is written by one that spools nothing.
func TestRefuseReplaysWhatIsThere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.store.poison = "aside"
		if err := errors.Join(r.accept("aside"), r.resend("aside")); err != nil {
			t.Fatal(err)
		}
		r.store.set(func(m *memory) { m.poison, m.down = "", true })
		if err := errors.Join(r.accept("spooled"), r.resend("spooled")); err != nil {
			t.Fatal(err)
		}
		r.close()
		r.options.OnFailure = records.Refuse
		r.reopen()
		if err := r.book.Ready(); !errors.Is(err, records.ErrUnavailable) {
			t.Errorf("before it was replayed: %v", err)
		}
		r.store.setDown(false)
		r.drained()
		r.has("aside", "spooled")
		if err := errors.Join(r.book.Ready(), r.accept("new"), r.resend("new")); err != nil {
			t.Error(err)
		}
		r.has("new")
	})
}

// One that spools nothing writes nothing to the disk, until a row is set aside.
func TestRefuseMakesNoFolderBeforeItNeedsOne(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.close()
		r.options.OnFailure, r.options.Dir = records.Refuse, filepath.Join(t.TempDir(), "data")
		r.reopen()
		if err := errors.Join(r.accept("one"), r.resend("one")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(r.options.Dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it wrote to the disk: %v", err)
		}
		r.store.poison = "aside"
		if err := errors.Join(r.accept("aside"), r.resend("aside")); err != nil {
			t.Fatal(err)
		}
		r.close()
		if files, _ := filepath.Glob(filepath.Join(r.options.Dir, "aside", "*")); len(files) == 0 {
			t.Error("nothing was set aside")
		}
	})
}
