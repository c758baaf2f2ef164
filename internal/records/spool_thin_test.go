package records

import (
	"errors"
	"os"
	"testing"
	"time"
)

// setAsideOnce is what is set aside where each batch has a file of its own: of each a row for ever, and one that is too old.
func setAsideOnce(t *testing.T, batches uint64) *aside {
	t.Helper()
	s := newSpool(t, t.TempDir())
	s.piece = 1
	for seq := range batches {
		b := Batch{Writer: "w/1", Seq: seq + 1, Decisions: []Decision{{At: time.Now().Add(time.Hour)}, {At: time.Now().Add(-time.Hour)}}}
		if err := s.append(b); err != nil {
			t.Fatal(err)
		}
	}
	return &aside{rows: s, now: time.Now, ids: map[string]struct{}{}}
}

// A file that is damaged, or cut off by somebody, or that can't be read, keeps no row in another one.
func TestAFileThatFailsKeepsNoOtherRows(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(path string) error{
		"emptied":        func(path string) error { return os.Truncate(path, 0) },
		"cut off":        func(path string) error { return os.Truncate(path, 50) },
		"not to be read": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := setAsideOnce(t, 3)
			if err := harm(a.rows.segments[0].path); err != nil {
				t.Fatal(err)
			}
			rows, err := a.forget(old{time.Now(), time.Now()})
			if rows != 2 || (err == nil) != (name != "not to be read") {
				t.Errorf("%d rows were removed, and %v", rows, err)
			}
		})
	}
}

// Whoever sets rows aside waits for no more than a sync of the disk for each file.
func TestWhatIsLeftOfAFileIsWrittenAtOnce(t *testing.T) {
	t.Parallel()
	a := setAsideOnce(t, 1)
	a.rows.piece = maxPiece
	for seq := range uint64(20) {
		b := Batch{Writer: "w/2", Seq: seq + 1, Decisions: []Decision{{At: time.Now().Add(time.Hour)}, {At: time.Now().Add(-time.Hour)}}}
		if err := a.rows.append(b); err != nil {
			t.Fatal(err)
		}
	}
	syncs := 0
	a.rows.open = func(path string) (spoolFile, error) {
		f, err := createFile(path)
		return countedFile{f, &syncs}, err
	}
	files := len(a.rows.segments)
	if rows, err := a.forget(old{time.Now(), time.Now()}); rows != 21 || err != nil || syncs != files {
		t.Errorf("%d rows, %v, %d syncs for %d files", rows, err, syncs, files)
	}
}

// Rows that could not be removed are not said to be.
func TestRowsThatCannotBeRemoved(t *testing.T) {
	t.Parallel()
	a := setAsideOnce(t, 2)
	a.rows.open = func(string) (spoolFile, error) { return nil, errors.New("no space left on device") }
	if rows, err := a.forget(old{time.Now(), time.Now()}); rows != 0 || err == nil {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// countedFile counts syncs.
type countedFile struct {
	spoolFile
	syncs *int
}

func (f countedFile) Sync() error {
	*f.syncs++
	return f.spoolFile.Sync()
}
