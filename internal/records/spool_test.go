package records

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

func someBatch(seq uint64) Batch {
	at := time.Date(2026, 11, 30, 6, 0, 0, 1e6, time.UTC)
	return Batch{
		Writer: "W", Seq: seq,
		Verifications: []Verification{{
			SMSID: fmt.Sprint("sms-", seq), App: "default", Scene: "login", Whom: Whom{Phone: Hash{1}, Device: Hash{2}},
			Sealed: []byte{0xff, 's', 'r', 1}, CreatedAt: at, ExpiresAt: at.Add(time.Minute),
		}},
		Changes:   []Change{{SMSID: fmt.Sprint("sms-", seq), Fate: Fate{Gateway: "mock", Segments: 2, CostMicros: 7, Resends: 1, ResentAt: at}}},
		Decisions: []Decision{{At: at, RequestID: "r", Rule: "hour", Used: 4, Limit: 4, Shadow: []string{"a", "b"}, Folded: 9}},
	}
}

func newSpool(t testing.TB, dir string) *spool {
	t.Helper()
	if err := makeFolder(dir); err != nil {
		t.Fatal(err)
	}
	s, err := openSpool(dir, DefaultSpoolBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

func alone([]Batch, Batch) bool { return false }

// replay empties a spool.
func replay(t testing.TB, s *spool) (found []Batch, broken []damage) {
	t.Helper()
	for !s.empty() {
		p, err := s.peek(alone)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, p.batches...)
		if p.damage.any() {
			broken = append(broken, p.damage)
		}
		s.advance(p)
	}
	return found, broken
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWhatIsSpooledComesBack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "spool")
	s := newSpool(t, dir)
	var want []Batch
	for seq := range uint64(20) {
		want = append(want, someBatch(seq+1))
		if err := s.append(want[seq]); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range files(t, dir) {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if got, broken := replay(t, newSpool(t, dir)); !reflect.DeepEqual(got, want) || broken != nil {
		t.Errorf("another run found %+v, damage %+v", got, broken)
	}
	if left := files(t, dir); left != nil {
		t.Errorf("left: %v", left)
	}
}

// A crash leaves the last frame cut off anywhere: all before it is there.
func TestATornTailAtEveryByte(t *testing.T) {
	t.Parallel()
	first, last := mustFrame(t, someBatch(1)), mustFrame(t, someBatch(2))
	dir := t.TempDir()
	for cut := range last {
		path := segmentPath(dir, 1)
		if err := os.WriteFile(path, append(bytes.Clone(first), last[:cut]...), 0o600); err != nil {
			t.Fatal(err)
		}
		got, broken := replay(t, newSpool(t, dir))
		if len(got) != 1 || got[0].Seq != 1 {
			t.Fatalf("cut at %d: found %d batches", cut, len(got))
		}
		if cut > 0 && (len(broken) != 1 || broken[0].torn != int64(cut) || broken[0].skipped != 0) {
			t.Fatalf("cut at %d: told %+v", cut, broken)
		}
	}
}

// Damage in the middle, at every byte, takes one batch, is told, and leaves those around it.
func TestDamageAtEveryByte(t *testing.T) {
	t.Parallel()
	one, two, three := mustFrame(t, someBatch(1)), mustFrame(t, someBatch(2)), mustFrame(t, someBatch(3))
	dir := t.TempDir()
	for at := range two {
		if at == len(frameMagic) {
			continue // the version: the checksum is right
		}
		damaged := bytes.Clone(two)
		damaged[at] ^= 0x55
		path := segmentPath(dir, 1)
		if err := os.WriteFile(path, bytes.Join([][]byte{one, damaged, three}, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		got, broken := replay(t, newSpool(t, dir))
		if len(got) != 2 || got[0].Seq != 1 || got[1].Seq != 3 {
			t.Fatalf("byte %d: found %+v", at, got)
		}
		if len(broken) != 1 || broken[0].skipped != int64(len(two)) || broken[0].at != int64(len(one)) {
			t.Fatalf("byte %d: told %+v", at, broken)
		}
	}
}

func TestAnotherVersionsSpoolIsNotTouched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	frame := mustFrame(t, someBatch(1))
	frame[len(frameMagic)]++
	if err := os.WriteFile(segmentPath(dir, 1), frame, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openSpool(dir, DefaultSpoolBytes); !errors.Is(err, errVersion) {
		t.Errorf("opened: %v", err)
	}
	if len(files(t, dir)) != 1 {
		t.Error("the file is gone")
	}
}

func TestFilesOfASpoolAreGivenBack(t *testing.T) {
	t.Parallel()
	s, err := openSpool(t.TempDir(), minSpoolBytes)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	n := uint64(0)
	for ; ; n++ {
		if err := s.append(largeBatch(n + 1)); errors.Is(err, errSpoolFull) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if s.used() > minSpoolBytes || len(files(t, s.dir)) < spoolPieces {
		t.Errorf("%d bytes in %d files", s.used(), len(files(t, s.dir)))
	}
	for range n / 2 {
		p, err := s.peek(alone)
		if err != nil {
			t.Fatal(err)
		}
		s.advance(p)
	}
	if len(files(t, s.dir)) > spoolPieces/2+2 {
		t.Errorf("%d files after half was replayed", len(files(t, s.dir)))
	}
	if err := s.append(largeBatch(n + 1)); err != nil {
		t.Errorf("no room after half was replayed: %v", err)
	}
	if got, _ := replay(t, s); got[len(got)-1].Seq != n+1 || uint64(len(got)) != n+1-n/2 {
		t.Errorf("%d batches up to %d", len(got), got[len(got)-1].Seq)
	}
}

// largeBatch is of some 20 KB.
func largeBatch(seq uint64) Batch {
	b := someBatch(seq)
	for range 6 {
		b.Verifications = append(b.Verifications, b.Verifications...)
	}
	return b
}

// badFile fails as it is told, as a disk that is full or broken does.
type badFile struct {
	*os.File
	fault *string
}

func (f badFile) Write(p []byte) (int, error) {
	if *f.fault == "full" {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, errors.New("no space left on device")
	}
	return f.File.Write(p)
}

func (f badFile) Sync() error {
	if *f.fault == "sync" {
		return errors.New("input/output error")
	}
	return f.File.Sync()
}

// A write that failed is made again in another file, so that no sync is believed after one that failed.
func TestADiskThatFails(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"full", "sync"} {
		s, now := newSpool(t, t.TempDir()), ""
		opened := 0
		s.open = func(path string) (spoolFile, error) {
			opened++
			f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			return badFile{f, &now}, err
		}
		if err := s.append(someBatch(1)); err != nil {
			t.Fatal(err)
		}
		now = fault
		for range 3 {
			if err := s.append(someBatch(2)); err == nil {
				t.Fatalf("%s: no error", fault)
			}
		}
		now = ""
		for seq := uint64(2); seq <= 3; seq++ {
			if err := s.append(someBatch(seq)); err != nil {
				t.Fatal(err)
			}
		}
		if opened < 4 {
			t.Errorf("%s: %d files: one that failed was written on", fault, opened)
		}
		if len(files(t, s.dir)) != 2 {
			t.Errorf("%s: files %v", fault, files(t, s.dir))
		}
		got, broken := replay(t, newSpool(t, s.dir))
		if len(got) != 3 || got[2].Seq != 3 || broken != nil {
			t.Errorf("%s: found %+v, %+v", fault, got, broken)
		}
	}
}

func mustFrame(t testing.TB, b Batch) []byte {
	t.Helper()
	frame, err := encodeFrame(b)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}
