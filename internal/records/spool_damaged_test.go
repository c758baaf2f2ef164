package records

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A last frame that is all there, with a wrong byte, is no crash's: rows that were told to be kept are lost.
func TestDamageAtTheEnd(t *testing.T) {
	t.Parallel()
	one, last := mustFrame(t, someBatch(1)), mustFrame(t, someBatch(2))
	for at := range last {
		if at == len(frameMagic) || at > len(frameMagic) && at < 8 && last[at]^0x55 > last[at] {
			continue // the version, which has no checksum; and a length that says that the file is too short
		}
		dir, damaged := t.TempDir(), bytes.Clone(last)
		damaged[at] ^= 0x55
		path := segmentPath(dir, 1)
		if err := os.WriteFile(path, append(bytes.Clone(one), damaged...), 0o600); err != nil {
			t.Fatal(err)
		}
		got, broken := replay(t, newSpool(t, dir))
		if len(got) != 1 || len(broken) != 1 || broken[0].skipped != int64(len(last)) || broken[0].torn != 0 {
			t.Fatalf("byte %d: %d batches, told %+v", at, len(got), broken)
		}
		if kept := files(t, dir); len(kept) != 1 || kept[0] != path+damagedSuffix {
			t.Fatalf("byte %d: kept %v", at, kept)
		}
	}
}

// Room to which a crash left nothing written holds no rows, and no such file is kept.
func TestRoomAtTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(segmentPath(dir, 1), append(mustFrame(t, someBatch(1)), make([]byte, 4096)...), 0o600); err != nil {
		t.Fatal(err)
	}
	got, broken := replay(t, newSpool(t, dir))
	if len(got) != 1 || len(broken) != 1 || broken[0].torn != 4096 || len(files(t, dir)) != 0 {
		t.Errorf("%d batches, told %+v, kept %v", len(got), broken, files(t, dir))
	}
}

// The youngest damaged files are kept, a few, and no later file takes the name of one.
func TestDamagedFilesAreBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for run := range damagedKept + 3 {
		_, highest, err := earlierSegments(dir)
		if err != nil || highest != run {
			t.Fatalf("run %d: %d, %v", run, highest, err)
		}
		if err := os.WriteFile(segmentPath(dir, highest+1), append([]byte("damage"), mustFrame(t, someBatch(1))...), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := replay(t, newSpool(t, dir)); len(got) != 1 {
			t.Fatalf("%d batches", len(got))
		}
	}
	kept := files(t, dir)
	if len(kept) != damagedKept || !strings.HasPrefix(filepath.Base(kept[0]), "0000000004.") {
		t.Errorf("kept %v", kept)
	}
}
