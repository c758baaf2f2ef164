package memstore_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/throttle"
)

// With rules in shadow and without, the same history has the same answers, and leaves the same of enforced rules.
func TestShadowRulesAreInert(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		clock := storetest.NewManualClock()
		with, without := openCounters(clock.Now), openCounters(clock.Now)
		storetest.Inert(t, 1000, seed, with, without, clock)
		if got, want := enforcedPart(t, with), enforcedPart(t, without); len(want) == 0 || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, with shadow rules\n%+v\nwithout\n%+v", seed, got, want)
		}
	}
}

// keyState is what a saved key holds of enforced rules.
type keyState struct {
	Sections [throttle.Events][][3]int64
	Records  [][7]int64
}

func enforcedPart(t *testing.T, c *memstore.Counters) map[throttle.Key]keyState {
	t.Helper()
	path := filepath.Join(t.TempDir(), "counters")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[throttle.Key]keyState{}
	for line := range bytes.Lines(file) {
		var k struct {
			throttle.Key
			keyState
		}
		if err := json.Unmarshal(line, &k); err != nil || k.Tag == "" {
			continue // the head
		}
		var own [][7]int64
		for _, r := range k.Records {
			if !storetest.ShadowSlot(uint32(r[0])) {
				own = append(own, r)
			}
		}
		k.Records = own
		if own != nil || len(k.Sections[0])+len(k.Sections[1])+len(k.Sections[2]) > 0 {
			all[k.Key] = k.keyState
		}
	}
	return all
}
