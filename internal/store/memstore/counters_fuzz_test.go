package memstore_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"smsd/internal/store/memstore"
)

// Whatever a file holds, it is refused or can be counted on: no panic, and no wait beyond what a rule can say.
func FuzzCountersLoad(f *testing.F) {
	counters, clock := small(10)
	charge(f, counters, groupOf(1, mixed()), groupOf(2, shadowed(3, time.Hour)))
	path := filepath.Join(f.TempDir(), "counters")
	if err := counters.Save(path); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"format":"smsd counters","version":1,"count":0}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		path := filepath.Join(t.TempDir(), "counters")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		loaded := memstore.NewCounters(memstore.Options{Clock: clock})
		if err := loaded.Load(path); err != nil {
			if loaded.Len() != 0 {
				t.Errorf("%d keys of a file that was refused: %v", loaded.Len(), err)
			}
			return
		}
		taken, err := take(t, loaded, groupOf(1, mixed()), groupOf(2, shadowed(3, time.Hour)))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range taken.Verdicts {
			if v.Wait < 0 || v.Wait > 2*time.Hour || v.Used < 0 {
				t.Errorf("%+v", v)
			}
		}
	})
}
