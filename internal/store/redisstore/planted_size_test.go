package redisstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/store/memstore"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// The most that a value may have of each, as counter_value.lua says.
const (
	mostEntries = 65_000
	mostRecords = 16_384
)

// planted is a value that has the shape of one.
type planted struct {
	entries [throttle.Events]int
	records int
	at      int64  // ms of every entry and record
	marks   uint16 // how many marks the entries have; 0: all that of the plans here
}

func (p planted) value() []byte {
	b := []byte{2}
	for _, n := range append(p.entries[:], p.records) {
		b = binary.BigEndian.AppendUint16(b, uint16(n))
	}
	for _, n := range p.entries {
		for i := range n {
			mark := uint16(7)
			if p.marks > 0 {
				mark = 1 + uint16(i)%p.marks
			}
			b = binary.BigEndian.AppendUint32(append6(b, p.at), uint32(i))
			b = binary.BigEndian.AppendUint16(b, mark)
		}
	}
	for i := range p.records {
		b = binary.BigEndian.AppendUint32(b, 100+uint32(i))
		b = append(b, 1+byte(i%3), 0, 0, 1) // of every kind
		b = append6(binary.BigEndian.AppendUint32(b, 3_600_000), p.at)
		b = append(b, 0, 0, 0, 1, 0, 0, 0, 1)
	}
	return b
}

// append6 appends the six bytes of an instant.
func append6(b []byte, ms int64) []byte {
	return append(b, binary.BigEndian.AppendUint64(nil, uint64(ms))[2:]...)
}

// crowded is a group of as many cells as a policy may have rules: logs and counters of every section.
func crowded() throttle.Group {
	g := limited("crowded", throttle.MaxLogLimit, time.Hour)
	g.Plan.Cells = nil
	for i := range throttle.MaxRules {
		c := throttle.Cell{Section: throttle.Event(i / 2 % throttle.Events), Algorithm: throttle.Log, Limit: throttle.MaxLogLimit,
			Window: time.Hour, Slot: 100 + uint32(i)*64, Charge: true}
		if i%2 == 1 {
			c.Algorithm = throttle.Counter
		}
		if i%4 == 0 {
			c.Mark = 7
		}
		g.Plan.Cells = append(g.Plan.Cells, c)
	}
	for e := range throttle.Events {
		g.Plan.Retain[e], g.Plan.Keep[e] = time.Hour, throttle.Keep{All: throttle.MaxLogLimit, PerMark: throttle.MaxLogLimit}
	}
	return g
}

const plantedNow = 1784600000123

// The largest values of a whole shape, in whose length the work of a call must be linear: an answer comes, and what
// is stored is whole. What each took is printed with -v; with a section built by adding entry to entry a
// value from the future froze the server for three minutes, and this ends at the deadline.
func TestLargestValues(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL(), withClock(func() time.Time { return time.UnixMilli(plantedNow) }), withBudget(time.Minute))
	server, g := raw(t, s), crowded()
	for _, do := range sizedCalls(c, g) { // the server learns the scripts, and what follows is counted as EVALSHA
		_ = do()
	}
	all := [throttle.Events]int{mostEntries, mostEntries, mostEntries}
	for name, p := range map[string]planted{
		"in the future":         {entries: all, records: mostRecords, at: 1<<47 - 1},
		"in the past":           {entries: all, records: mostRecords, at: 1},
		"now, one mark":         {entries: all, records: mostRecords, at: plantedNow},
		"now, as many marks":    {entries: all, records: mostRecords, at: plantedNow, marks: 65_000},
		"the future, one log":   {entries: [throttle.Events]int{mostEntries}, at: 1 << 47},
		"the future, one quiet": {entries: [throttle.Events]int{0, 0, mostEntries}, at: 1 << 47},
	} {
		value := p.value()
		for call, do := range sizedCalls(c, g) {
			server.Set(context.Background(), c.keys.counter(g.Key), value, time.Hour)
			server.ConfigResetStat(context.Background())
			if err := do(); err != nil {
				t.Errorf("%s, %s: %v", name, call, err)
			}
			t.Logf("%s, %s: %.1f ms", name, call, scriptMicros(server)/1000)
			wantWhole(t, server, c.keys.counter(g.Key))
		}
	}
}

func sizedCalls(c *Client, g throttle.Group) map[string]func() error {
	ctx, store := context.Background(), c.Counters()
	take := throttle.Take{ID: 5, Groups: []throttle.Group{g}}
	force := take
	force.Force = true
	return map[string]func() error{
		"take":  func() error { _, err := store.Take(ctx, take); return err },
		"force": func() error { _, err := store.Take(ctx, force); return err },
		"peek":  func() error { _, err := store.Peek(ctx, take); return err },
		"refund": func() error {
			return store.Refund(ctx, throttle.Refund{ID: 5, At: time.UnixMilli(plantedNow), Groups: take.Groups})
		},
	}
}

// wantWhole checks that a value has the length that its head says, and is not above the bounds.
func wantWhole(t *testing.T, server *redis.Client, key string) {
	t.Helper()
	value := server.Get(context.Background(), key).Val()
	length := 9
	for i, size := range []int{12, 12, 12, 26} {
		n := int(binary.BigEndian.Uint16([]byte(value[1+2*i:])))
		length += n * size
		if i < throttle.Events && n > mostEntries || i == throttle.Events && n > mostRecords {
			t.Errorf("%d in part %d", n, i)
		}
	}
	if len(value) != length {
		t.Errorf("%d bytes, and its head says %d", len(value), length)
	}
}

// A value that holds more than any policy makes is as none: each call answers and writes as with a fresh key.
func TestValuesAboveTheBoundsAreNone(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL(), withClock(func() time.Time { return time.UnixMilli(plantedNow) }))
	server, ctx, g := raw(t, s), context.Background(), limited("p", 2, time.Hour)
	key := c.keys.counter(g.Key)
	take := throttle.Take{ID: 5, Groups: []throttle.Group{g}}
	fresh, err := c.Counters().Take(ctx, take)
	if err != nil || !fresh.Allowed {
		t.Fatal(fresh, err)
	}
	want := server.Get(ctx, key).Val()
	for name, p := range map[string]planted{
		"sends":        {entries: [throttle.Events]int{mostEntries + 1}, at: 1 << 47},
		"verifies":     {entries: [throttle.Events]int{0, 65_535}, at: plantedNow},
		"guesses":      {entries: [throttle.Events]int{1, 1, 65_535}, at: plantedNow},
		"records":      {records: mostRecords + 1, at: plantedNow},
		"most of each": {entries: [throttle.Events]int{65_535, 65_535, 65_535}, records: 65_535, at: plantedNow},
	} {
		server.Set(ctx, key, p.value(), 0)
		if err := c.Counters().Refund(ctx, throttle.Refund{ID: 5, At: fresh.At, Groups: take.Groups}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if server.Get(ctx, key).Val() != string(p.value()) {
			t.Errorf("%s: a refund wrote", name)
		}
		taken, err := c.Counters().Take(ctx, take)
		if err != nil || !taken.Allowed {
			t.Errorf("%s: %+v, %v", name, taken, err)
		}
		if got := server.Get(ctx, key).Val(); got != want {
			t.Errorf("%s: %d bytes are stored, want the %d of a fresh key", name, len(got), len(want))
		}
	}
}

// A section that is full stays readable, with the newest entries: were it one longer, all would be forgotten.
func TestFullSectionStaysReadable(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL(), withClock(func() time.Time { return time.UnixMilli(plantedNow) }), withBudget(time.Minute))
	server, ctx := raw(t, s), context.Background()
	g := limited("p", throttle.MaxLimit, time.Hour)
	g.Plan.Keep[throttle.Send] = throttle.Keep{PerMark: throttle.MaxLogLimit} // as in shadow, of more marks than scenes
	key := c.keys.counter(g.Key)
	p := planted{entries: [throttle.Events]int{mostEntries}, records: mostRecords, at: plantedNow, marks: 60_000}
	server.Set(ctx, key, p.value(), time.Hour)
	for n := range 2 {
		if taken := mustTake(t, c.Counters(), g); !taken.Allowed || taken.Verdicts[0].Used != mostEntries {
			t.Fatalf("take %d: %+v", n, taken)
		}
		wantWhole(t, server, key)
	}
	value := server.Get(ctx, key).Val()
	if first := binary.BigEndian.Uint32([]byte(value[9+6:])); first != 2 {
		t.Errorf("the oldest entry is %d, want the third of those planted", first)
	}
	// The records that were there first have gone for the one of the counter cell.
	last := value[len(value)-26:]
	if binary.BigEndian.Uint32([]byte(last)) != 2 || bytes.Contains([]byte(value), []byte{0, 0, 0, 100, 0, 0x36, 0xEE, 0x80}) {
		t.Errorf("the last record is %x", last)
	}
}

// A log of more than MaxEntries is read otherwise than a short one, with the same answers as the other store's:
// of each mark and of all, at every edge of a window.
func TestLongLogsAnswerAsMemstoreDoes(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	now := time.UnixMilli(plantedNow)
	clock := func() time.Time { return now }
	inRedis := open(t, s.URL(), withClock(clock)).Counters()
	inProcess := memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock)})
	long := func(mark uint16) throttle.Group {
		g := limited("p", 300, time.Minute)
		g.Plan.Mark, g.Plan.Keep[throttle.Send] = mark, throttle.Keep{All: 300, PerMark: 300}
		g.Plan.Cells = g.Plan.Cells[:1]
		for i, limit := range []int64{1, 2, 60, 110, 250} {
			cell := g.Plan.Cells[0]
			cell.Limit, cell.Mark, cell.Slot = limit, mark, uint32(10+i)
			g.Plan.Cells = append(g.Plan.Cells, cell)
			cell.Mark, cell.Window, cell.Slot = 0, time.Duration(1+i)*10*time.Second, uint32(20+i)
			g.Plan.Cells = append(g.Plan.Cells, cell)
		}
		return g
	}
	groups := []throttle.Group{long(7), long(8), long(9)}
	var longest int64
	for n := range 1500 {
		at := n * n % 3
		take := throttle.Take{ID: uint32(n), Groups: groups[at : at+1], Force: n%5 != 0}
		switch { // whole tenths of a second, so that entries stand on the edges of windows
		case n%300 == 250:
			now = now.Add(-10 * time.Second)
		case n%100 == 90: // some leave the window, and a charge finds room without compaction
			now = now.Add(20 * time.Second)
		default:
			now = now.Add(time.Duration(n%7*n%9) * 100 * time.Millisecond)
		}
		got, err := inRedis.Take(context.Background(), take)
		want, err2 := inProcess.Take(context.Background(), take)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for i := range want.Verdicts {
			if got.Verdicts[i] != want.Verdicts[i] || got.Allowed != want.Allowed {
				t.Fatalf("take %d, cell %d: %+v, %+v in the process", n, i, got.Verdicts[i], want.Verdicts[i])
			}
		}
		longest = max(longest, got.Verdicts[0].Used)
	}
	if longest <= throttle.MaxEntries {
		t.Errorf("at most %d entries: that is not long", longest)
	}
}

// The records of a key that has many are found otherwise than those of one with few, with the same answers.
func TestManyRecordsAnswerAsMemstoreDoes(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	now := time.UnixMilli(plantedNow)
	clock := func() time.Time { return now }
	inRedis := open(t, s.URL(), withClock(clock)).Counters()
	inProcess := memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock)})
	counted := func(from, to int) throttle.Group {
		g := throttle.Group{Key: tagged(1, "p"), Plan: counterPlan(to)}
		g.Plan.Cells = g.Plan.Cells[from:]
		for i := range g.Plan.Cells {
			g.Plan.Cells[i].Limit = int64(20 + i)
		}
		return g
	}
	groups := []throttle.Group{counted(0, 50), counted(20, 70), counted(69, 70)}
	for n := range 100 {
		take := throttle.Take{ID: uint32(n), Groups: groups[n%3 : n%3+1]}
		now = now.Add(time.Duration(n%5) * 5 * time.Minute)
		got, err := inRedis.Take(context.Background(), take)
		want, err2 := inProcess.Take(context.Background(), take)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for i := range want.Verdicts {
			if got.Verdicts[i] != want.Verdicts[i] || got.Allowed != want.Allowed {
				t.Fatalf("take %d, cell %d: %+v, %+v in the process", n, i, got.Verdicts[i], want.Verdicts[i])
			}
		}
	}
}

// More keys than Lua can pass to one command are removed.
func TestResetOfManyKeys(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server, ctx := open(t, s.URL(), withBudget(time.Minute)), raw(t, s), context.Background()
	var keys []string
	pipe := server.Pipeline()
	for n := range 20_001 {
		keys = append(keys, c.keys.counter(tagged(n, "p")))
		pipe.Set(ctx, keys[n], "", time.Hour)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		t.Fatal(err)
	}
	if err := (counters{c}).remove(ctx, keys); err != nil {
		t.Fatal(err)
	}
	if left := server.Exists(ctx, keys...).Val(); left != 0 {
		t.Errorf("%d keys are left", left)
	}
}
