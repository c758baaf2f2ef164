package memstore_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	storetest.Codes(t, func(_ *testing.T, now func() time.Time) sms.Codes {
		return memstore.NewCodes(memstore.Options{Clock: memstore.NewClock(now)})
	})
}

// With a bound at which shedding and refusing are frequent, a full store still differs in nothing
// but refusals; so here it is only wide enough for the ids in play.
func TestCodesDifferential(t *testing.T) {
	t.Parallel()
	clock := memstore.NewClock(func() time.Time { return time.Unix(1_800_000_000, 0) })
	tight := memstore.NewCodes(memstore.Options{Clock: clock, MaxCodes: 6})
	wide := memstore.NewCodes(memstore.Options{Clock: clock})
	storetest.CodesDifferential(t, 20_000, 1, tight, wide, clock.Advance)
}

func newRecord() sms.NewRecord {
	return sms.NewRecord{
		App: "default", Scene: "login", Code: sms.Hash{1}, Phone: sms.Hash{2}, Length: 6, Attempts: 5,
		Sealed: make([]byte, 72), TTL: 5 * time.Minute, Keep: 10 * time.Minute,
	}
}

func bounded(limit int) (*memstore.Codes, *memstore.Clock) {
	clock := memstore.NewClock(func() time.Time { return time.Unix(1_800_000_000, 0) })
	return memstore.NewCodes(memstore.Options{MaxCodes: limit, Clock: clock}), clock
}

func put(t *testing.T, c *memstore.Codes, id string) error {
	t.Helper()
	_, err := c.Put(t.Context(), id, newRecord())
	return err
}

func TestFullStoreRefusesNewOnesAndKeepsTheOld(t *testing.T) {
	t.Parallel()
	codes, clock := bounded(3)
	for _, id := range []string{"a", "b", "c"} {
		if err := put(t, codes, id); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Second)
	}
	if err := put(t, codes, "d"); !errors.Is(err, sms.ErrUnavailable) {
		t.Fatalf("a fourth of three: %v", err)
	}
	clock.Advance(15*time.Minute - 3*time.Second) // "a" is forgotten, "b" is not
	if err := put(t, codes, "d"); err != nil {
		t.Fatalf("with one forgotten: %v", err)
	}
	if err := put(t, codes, "e"); !errors.Is(err, sms.ErrUnavailable) {
		t.Fatalf("full again: %v", err)
	}
	for _, id := range []string{"b", "c", "d"} {
		if _, err := codes.Get(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A used code is remembered as used when the store is full: room is never made by forgetting it.
func TestFullStoreKeepsUsedCodes(t *testing.T) {
	t.Parallel()
	codes, _ := bounded(1)
	guess := sms.Guess{App: "default", Length: 6, Codes: []sms.Hash{{1}}}
	if err := put(t, codes, "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := codes.Verify(t.Context(), "a", guess); err != nil {
		t.Fatal(err)
	}
	if err := put(t, codes, "b"); !errors.Is(err, sms.ErrUnavailable) {
		t.Fatalf("put into a full store: %v", err)
	}
	if _, err := codes.Verify(t.Context(), "a", guess); !errors.Is(err, sms.ErrUsed) {
		t.Fatalf("verify again: %v", err)
	}
}

// An amended end moves the record's place among those to be shed.
func TestAmendedEndIsShedLater(t *testing.T) {
	t.Parallel()
	codes, clock := bounded(2)
	for _, id := range []string{"a", "b"} {
		if err := put(t, codes, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := codes.Amend(t.Context(), "a", sms.Amendment{ExpiresIn: time.Hour}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(15 * time.Minute)
	if err := put(t, codes, "c"); err != nil {
		t.Fatal(err)
	}
	if _, err := codes.Get(t.Context(), "a"); err != nil {
		t.Errorf("a, which lives an hour: %v", err)
	}
}

func TestMillionCodesStayWithinTheBound(t *testing.T) {
	t.Parallel()
	const limit = 1000
	codes, clock := bounded(limit)
	stored := 0
	for i := range 1_000_000 {
		if put(t, codes, fmt.Sprint(i)) == nil {
			stored++
		}
		clock.Advance(100 * time.Millisecond) // 9,000 of them in the life of one
	}
	if n := codes.Len(); n > limit {
		t.Errorf("%d verifications, more than %d", n, limit)
	}
	if stored < 100_000 { // 1,000 in each of 111 lives
		t.Errorf("only %d were stored: room is not made", stored)
	}
}

func TestMemoryOfCodes(t *testing.T) {
	const n = 100_000
	before := heapInUse()
	codes, _ := bounded(n)
	for i := range n {
		if err := put(t, codes, fmt.Sprintf("00000000-0000-4000-8000-%012d", i)); err != nil {
			t.Fatal(err)
		}
	}
	each := (heapInUse() - before) / n
	t.Logf("%d bytes each", each)
	if each > 600 {
		t.Errorf("a verification takes %d bytes, more than DefaultMaxCodes reckons with", each)
	}
	runtime.KeepAlive(codes)
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestCodesUnderLoad(t *testing.T) {
	t.Parallel()
	codes, clock := bounded(100)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 300 {
				id := fmt.Sprint(worker, i)
				_, _ = codes.Put(t.Context(), id, newRecord())
				_ = codes.Amend(t.Context(), id, sms.Amendment{ExpiresIn: time.Duration(i) * time.Second})
				_, _ = codes.Verify(t.Context(), id, sms.Guess{App: "default", Length: 6})
				_ = codes.Delete(t.Context(), fmt.Sprint(worker, i-50))
				clock.Advance(time.Second)
			}
		})
	}
	wg.Wait()
	if n := codes.Len(); n > 100 {
		t.Errorf("%d verifications, more than 100", n)
	}
}
