package memstore_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// mixed is a plan with every kind of state.
func mixed() *throttle.Plan {
	return &throttle.Plan{
		Cells: []throttle.Cell{
			{Algorithm: throttle.Log, Limit: 5, Window: time.Hour, Charge: true, Slot: 1},
			{Algorithm: throttle.Counter, Limit: 100, Window: time.Hour, Charge: true, Slot: 1<<32 - 1},
			{Section: throttle.Guess, Algorithm: throttle.Log, Limit: 5, Window: time.Minute, Mark: 0xFFFF, Slot: 3},
			{Algorithm: throttle.Bucket, Limit: 3, Burst: 9, Window: time.Hour, Charge: true, Slot: 4},
			{Algorithm: throttle.Fixed, Limit: 100, Window: time.Hour, Charge: true, Slot: 5},
		},
		Mark: 0xFFFF, Retain: [throttle.Events]time.Duration{time.Hour, 0, time.Minute},
		Keep: [throttle.Events]throttle.Keep{{All: 5}, {}, {PerMark: 5}}, TTL: 2 * time.Hour,
	}
}

func TestCountersSurviveARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "counters")
	old, clock := small(10)
	mixed, shadow := groupOf(1, mixed()), groupOf(2, shadowed(3, time.Hour))
	charge(t, old, groupOf(3, logged(9, time.Minute)))
	clock.Advance(59 * time.Minute)
	charge(t, old, mixed, shadow)
	clock.Advance(time.Minute)
	charge(t, old, mixed)
	clock.Advance(time.Minute)
	if err := old.Save(path); err != nil {
		t.Fatal(err)
	}

	restarted := memstore.NewCounters(memstore.Options{MaxKeys: 10, Clock: clock})
	if err := restarted.Load(path); err != nil {
		t.Fatal(err)
	}
	if restarted.Len() != 2 {
		t.Errorf("%d keys, want 2: what has expired is not loaded", restarted.Len())
	}
	for range 70 {
		if got, want := peek(t, restarted, mixed, shadow), peek(t, old, mixed, shadow); !reflect.DeepEqual(got, want) {
			t.Fatalf("\n got %+v\nwant %+v", got, want)
		}
		clock.Advance(2 * time.Minute)
	}
	for n := range 10 {
		charge(t, restarted, groupOf(10+n, logged(9, time.Minute))) // what was loaded is shed
	}
}

func TestCountersLoadAfterTheClockSteppedBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "counters")
	old, clock := small(1)
	charge(t, old, groupOf(1, logged(1, time.Hour)))
	if err := old.Save(path); err != nil {
		t.Fatal(err)
	}
	clock.Advance(-365 * 24 * time.Hour)
	restarted := memstore.NewCounters(memstore.Options{MaxKeys: 1, Clock: clock})
	if err := restarted.Load(path); err != nil {
		t.Fatal(err)
	}
	if v := peek(t, restarted, groupOf(1, logged(1, time.Hour))).Verdicts[0]; v.Wait != time.Hour {
		t.Errorf("%+v", v)
	}
	clock.Advance(time.Hour)
	charge(t, restarted, groupOf(2, logged(1, time.Hour)))
}

func TestCountersFileIsPrivateAndReplacedWhole(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "counters")
	counters, _ := small(10)
	for n := range 2 {
		charge(t, counters, groupOf(n, logged(1, time.Hour)))
		if err := counters.Save(path); err != nil {
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

func TestCountersFileThatIsMissing(t *testing.T) {
	t.Parallel()
	counters, _ := small(10)
	if err := counters.Load(filepath.Join(t.TempDir(), "counters")); err != nil {
		t.Error(err)
	}
}

func TestCountersFileThatIsDamagedOrForeign(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "counters")
	counters, clock := small(10)
	for range 2 {
		charge(t, counters, groupOf(1, mixed()), groupOf(2, mixed()))
	}
	if err := counters.Save(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(whole)
	for name, damaged := range map[string]string{
		"empty":                "",
		"binary":               "\x7fELF\x02\x01\x01\x00",
		"cut":                  text[:len(text)-40],
		"one line less":        text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1],
		"one line more":        text + "{}\n",
		"another version":      strings.Replace(text, `"version":1`, `"version":2`, 1),
		"another format":       strings.Replace(text, "smsd counters", "smsd codes", 1),
		"a negative count":     strings.Replace(text, `"count":2`, `"count":-2`, 1),
		"no tag":               strings.Replace(text, `"tag":"`, `"tog":"`, 1),
		"no window":            strings.Replace(text, `[4294967295,3600000,`, `[4294967295,0,`, 1),
		"a huge window":        strings.Replace(text, `[4294967295,3600000,`, `[4294967295,9999999999999,`, 1),
		"a start before time":  strings.Replace(text, `[4294967295,3600000,`, `[4294967295,3600000,-`, 1),
		"a huge ttl":           strings.Replace(text, `"ttl_ms":`, `"ttl_ms":999999`, 1),
		"a huge slot":          strings.Replace(text, `[4294967295,`, `[4294967296,`, 1),
		"a huge mark":          strings.Replace(text, `,65535]`, `,65536]`, 1),
		"out of order":         strings.Replace(text, `"sections":[[[`, `"sections":[[[9`, 1),
		"an algorithm of none": strings.Replace(text, `,0,2,0]`, `,0,5,0]`, 1),
		"a bucket of no limit": strings.Replace(text, `,0,3,3]`, `,0,3,0]`, 1),
		"a huge level":         strings.Replace(text, `,0,3,3]`, `00000000000,0,3,3]`, 1),
		"a huge count":         strings.Replace(text, `,0,4,0]`, `0000000,0,4,0]`, 1),
		"negative instant":     strings.Replace(text, `"sections":[[[`, `"sections":[[[-`, 1),
	} {
		if damaged == text {
			t.Fatalf("%s: nothing was changed", name)
		}
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		restarted := memstore.NewCounters(memstore.Options{Clock: clock})
		if err := restarted.Load(path); err == nil || !strings.Contains(err.Error(), path) || restarted.Len() != 0 {
			t.Errorf("%s: error %v, %d keys", name, err, restarted.Len())
		}
	}
}

func TestCountersLoadOfMoreThanThereIsRoomFor(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "counters")
	counters, clock := small(10)
	charge(t, counters, groupOf(1, logged(1, time.Hour)), groupOf(2, logged(1, time.Hour)))
	if err := counters.Save(path); err != nil {
		t.Fatal(err)
	}
	smaller := memstore.NewCounters(memstore.Options{Clock: clock, MaxKeys: 1})
	if err := smaller.Load(path); err == nil || smaller.Len() != 0 {
		t.Errorf("error %v, %d keys", err, smaller.Len())
	}
}

func TestCountersFileThatCanNotBeWritten(t *testing.T) {
	t.Parallel()
	counters, _ := small(10)
	path := filepath.Join(t.TempDir(), "nowhere", "counters")
	if err := counters.Save(path); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
}

// A file of the time when records were counters alone: without an algorithm and a limit.
func TestCountersFileOfCountersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "counters")
	counters, clock := small(10)
	g := groupOf(1, &throttle.Plan{TTL: 2 * time.Hour, Mark: 1, Cells: []throttle.Cell{
		{Algorithm: throttle.Counter, Limit: 100, Window: time.Hour, Charge: true, Slot: 7},
	}})
	charge(t, counters, g)
	if err := counters.Save(path); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(string(file), `,1,0,2,0]`, `,3,0]`, 1)
	if old == string(file) || os.WriteFile(path, []byte(old), 0o600) != nil {
		t.Fatalf("%s", file)
	}
	restarted := memstore.NewCounters(memstore.Options{MaxKeys: 10, Clock: clock})
	if err := restarted.Load(path); err != nil {
		t.Fatal(err)
	}
	if v := peek(t, restarted, g).Verdicts[0]; v.Used != 3 {
		t.Errorf("%+v", v)
	}
}
