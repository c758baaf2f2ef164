package records

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// FuzzSpoolFile reads any bytes as a spool's file: it ends, accounts for every byte, finds no batch that is not there, and
// still finds one that follows.
func FuzzSpoolFile(f *testing.F) {
	one, two := mustFrame(f, someBatch(1)), mustFrame(f, someBatch(2))
	f.Add([]byte{})
	f.Add(one)
	f.Add(append(bytes.Clone(one), two...))
	f.Add(append(bytes.Clone(one), two[:len(two)/2]...))
	f.Add(append(bytes.Clone(one[5:]), two...))
	f.Add(bytes.Repeat(frameMagic, 20))
	f.Add(append(bytes.Clone(frameMagic), 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		found := readAll(t, data)
		if whole := readAll(t, append(bytes.Clone(data), one...)); len(whole) < 1 || !reflect.DeepEqual(whole[len(whole)-1], someBatch(1)) {
			t.Errorf("a batch behind %d bytes is not found; %d are", len(data), len(found))
		}
	})
}

// readAll reads what is in data, portion by portion.
func readAll(t *testing.T, data []byte) (found []Batch) {
	t.Helper()
	seg := &segment{size: int64(len(data))}
	for seg.left() > 0 {
		p := seg.portion(data[seg.at:], alone)
		taken := p.end - seg.at
		if taken <= 0 || p.end > seg.size {
			t.Fatalf("at %d of %d: read to %d", seg.at, seg.size, p.end)
		}
		if len(p.batches) == 0 && p.damage.skipped+p.damage.torn != taken {
			t.Fatalf("at %d: %d bytes went, told %+v", seg.at, taken, p.damage)
		}
		found = append(found, p.batches...)
		seg.at = p.end
	}
	return found
}

// What version 1 wrote can be read for ever. The file was written by it.
func TestASpoolOfVersion1(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("testdata", "version1.spool"))
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, data); !reflect.DeepEqual(got, []Batch{someBatch(1), someBatch(2)}) {
		t.Errorf("read %+v", got)
	}
}
