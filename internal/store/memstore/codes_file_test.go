package memstore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
)

func TestSaveAndLoad(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "codes")
	old, clock := bounded(10)
	guess := sms.Guess{App: "default", Length: 6, Codes: []sms.Hash{{1}}}
	wrong := sms.Guess{App: "default", Length: 6, Codes: []sms.Hash{{9}}}
	for _, id := range []string{"forgotten", "used", "wrong", "live"} {
		if err := put(t, old, id); err != nil {
			t.Fatal(err)
		}
		if id == "forgotten" {
			clock.Advance(15 * time.Minute)
		}
	}
	_, _ = old.Verify(t.Context(), "used", guess)
	_, _ = old.Verify(t.Context(), "wrong", wrong)
	if err := old.Save(path); err != nil {
		t.Fatal(err)
	}

	restarted := memstore.NewCodes(memstore.Options{MaxCodes: 3, Clock: clock})
	if err := restarted.Load(path); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"used", "wrong", "live", "forgotten"} {
		want, wantErr := old.Get(t.Context(), id)
		got, gotErr := restarted.Get(t.Context(), id)
		if !reflect.DeepEqual(got, want) || !errors.Is(gotErr, wantErr) {
			t.Errorf("%s:\n got %+v, %v\nwant %+v, %v", id, got, gotErr, want, wantErr)
		}
	}
	clock.Advance(15 * time.Minute)
	for _, id := range []string{"x", "y", "z"} {
		if err := put(t, restarted, id); err != nil {
			t.Errorf("loaded verifications are not shed: %v", err)
		}
	}
}

// Read once more after a crash, the file would give a code its life back that was used meanwhile.
func TestLoadedFileIsGone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "codes")
	codes, clock := bounded(10)
	if err := put(t, codes, "a"); err != nil {
		t.Fatal(err)
	}
	if err := codes.Save(path); err != nil {
		t.Fatal(err)
	}
	restarted := memstore.NewCodes(memstore.Options{Clock: clock})
	if err := restarted.Load(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if err := restarted.Load(path); err != nil {
		t.Errorf("a file that is missing: %v", err)
	}
}

func TestSavedFileIsPrivateAndReplacedWhole(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "codes")
	codes, _ := bounded(10)
	for _, id := range []string{"a", "b"} {
		if err := put(t, codes, id); err != nil {
			t.Fatal(err)
		}
		if err := codes.Save(path); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestDamagedFileIsAnErrorAndStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "codes")
	codes, clock := bounded(10)
	for _, id := range []string{"a", "b"} {
		if err := put(t, codes, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := codes.Save(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(whole)
	for name, damaged := range map[string]string{
		"empty":           "",
		"cut":             text[:len(text)-40],
		"one line less":   text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1],
		"one line more":   text + "{}\n",
		"another version": strings.Replace(text, `"version":1`, `"version":2`, 1),
		"another format":  strings.Replace(text, "smsd codes", "smsd counters", 1),
		"a short hash":    strings.Replace(text, `"code":"AQAAAAAAAAAAAAAAAAAAAA=="`, `"code":"AQ=="`, 1),
		"a huge count":    strings.Replace(text, `"count":2`, `"count":2000000000`, 1),
		"a negative one":  strings.Replace(text, `"count":2`, `"count":-1`, 1),
	} {
		if damaged == text {
			t.Fatalf("%s: nothing was changed", name)
		}
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		restarted := memstore.NewCodes(memstore.Options{Clock: clock})
		if err := restarted.Load(path); err == nil || restarted.Len() != 0 {
			t.Errorf("%s: error %v, %d verifications", name, err, restarted.Len())
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: the file is gone", name)
		}
	}
}

func TestLoadOfMoreThanThereIsRoomFor(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "codes")
	codes, clock := bounded(10)
	for _, id := range []string{"a", "b"} {
		if err := put(t, codes, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := codes.Save(path); err != nil {
		t.Fatal(err)
	}
	small := memstore.NewCodes(memstore.Options{Clock: clock, MaxCodes: 2})
	if err := put(t, small, "c"); err != nil {
		t.Fatal(err)
	}
	if err := small.Load(path); err == nil || small.Len() != 1 {
		t.Errorf("error %v, %d verifications", err, small.Len())
	}
}
