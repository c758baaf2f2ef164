package redisstore

import (
	"context"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// Whatever a key holds, with take_plain.lua and without it a call says the same and leaves the same, to the byte.
func FuzzPlainValue(f *testing.F) {
	now := time.UnixMilli(1784600000123).UTC()
	clock := withClock(func() time.Time { return now })
	one, other := testserver.Redis(f), testserver.Redis(f)
	plain, general := open(f, one.URL(), clock), open(f, other.URL(), clock)
	leaveOutPlain(general)
	got, want := planting{plain, raw(f, one)}, planting{general, raw(f, other)}
	groups := plainGroups()
	random := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		seed := make([]byte, 4+random.IntN(60))
		for i := range seed {
			seed[i] = byte(random.IntN(256)) >> random.IntN(8)
		}
		f.Add(seed, byte(random.IntN(len(groups))))
	}
	for _, value := range oddValues(now) {
		f.Add(value, byte(0))
		f.Add(value, byte(1))
	}
	f.Fuzz(func(t *testing.T, planted []byte, kind byte) {
		g := groups[int(kind)%len(groups)]
		for _, value := range [][]byte{planted, shaped(planted), recent(planted, now)} {
			if a, b := got.takes(t, g, value), want.takes(t, g, value); !reflect.DeepEqual(a, b) {
				t.Fatalf("%x:\n%+v\n%+v", value, a, b)
			}
			if a, b := counterValues(t, got.server), counterValues(t, want.server); !maps.Equal(a, b) {
				t.Fatalf("%x:\n%x\n%x", value, a, b)
			}
		}
	})
}

// planting is a client, and a connection to its server by which something is planted.
type planting struct {
	client *Client
	server *redis.Client
}

// takes plants the value, then peeks, takes, forces and takes once more.
func (p planting) takes(t *testing.T, g throttle.Group, value []byte) (all []throttle.Taken) {
	t.Helper()
	ctx, store := context.Background(), p.client.Counters()
	p.server.Set(ctx, p.client.keys.counter(g.Key), value, time.Hour)
	for i, ask := range []func(context.Context, throttle.Take) (throttle.Taken, error){store.Peek, store.Take, store.Take, store.Take} {
		taken, err := ask(ctx, throttle.Take{ID: 7, Groups: []throttle.Group{g}, Force: i == 2})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, taken)
	}
	return all
}

// plainGroups returns one group for each of several plans that take_plain.lua knows, all of one key.
func plainGroups() []throttle.Group {
	mixed := limited("p", 2, time.Hour)
	mixed.Plan.Cells[1].Slot = plantedSlot
	guesses := &throttle.Plan{Mark: 0x0102, TTL: time.Hour, Cells: []throttle.Cell{
		{Section: throttle.Guess, Algorithm: throttle.Log, Limit: 3, Window: time.Minute, Mark: 0x0102, Slot: 1, Charge: true},
	}}
	guesses.Retain[throttle.Guess] = time.Minute
	asked := &throttle.Plan{Mark: 0x0102, TTL: time.Hour, Cells: []throttle.Cell{
		{Section: throttle.Verify, Algorithm: throttle.Log, Limit: 1, Window: time.Minute, Slot: 1, Charge: true},
		{Section: throttle.Verify, Algorithm: throttle.Log, Limit: 2, Window: time.Hour, Mark: 0x0103, Slot: 2},
		{Section: throttle.Send, Algorithm: throttle.Counter, Limit: 5, Window: time.Hour, Slot: plantedSlot},
	}}
	all := []throttle.Group{mixed}
	for _, p := range []*throttle.Plan{phonePlan(), addressPlan(), guesses, asked} {
		all = append(all, throttle.Group{Key: mixed.Key, Plan: p})
	}
	return all
}

// oddValues returns values that only look plain: an entry of the future before others, the same of another version, and a
// Fixed record where the plan has a Counter.
func oddValues(now time.Time) [][]byte {
	r := recentBytes{now: uint64(now.UnixMilli())}
	future := []byte{2, 0, 3, 0, 0, 0, 0, 0, 0}
	for _, ms := range []int64{-1000, 30_000, -500} {
		future = append(append(future, r.after(ms)...), 0, 0, 0, 9, 0x12, 0x34)
	}
	another := append([]byte{1}, future[1:]...)
	fixed := []byte{2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, plantedSlot >> 8, plantedSlot & 0xFF, 3, 0, 0, 0}
	fixed = append(binary.BigEndian.AppendUint32(fixed, 3_600_000), r.after(-60_000)...)
	return [][]byte{future, another, append(fixed, 0, 0, 0, 1, 0, 0, 0, 1)}
}

// plantedSlot is the slot of the first record that recent makes.
const plantedSlot = 1000

// recent makes of any bytes a value of up to 24 entries in each section and 9 records, with instants about now.
func recent(planted []byte, now time.Time) []byte {
	in := append(planted[:len(planted):len(planted)], make([]byte, 4)...)
	r := recentBytes{rest: append(in[4:], 1), now: uint64(now.UnixMilli())}
	value, entries, records := []byte{2}, 0, int(in[3])%10
	for _, n := range in[:3] {
		value = binary.BigEndian.AppendUint16(value, uint16(n%25))
		entries += int(n % 25)
	}
	value = binary.BigEndian.AppendUint16(value, uint16(records))
	for range entries {
		value = r.entry(value)
	}
	for i := range records {
		value = r.record(value, plantedSlot+uint32(i))
	}
	return value
}

// recentBytes makes the parts of a value of the bytes in rest, which it goes through again and again.
type recentBytes struct {
	rest []byte
	used int
	now  uint64 // in ms
}

func (r *recentBytes) next() uint64 {
	r.used++
	return uint64(r.rest[r.used%len(r.rest)])
}

// rarely is true for one of 16 bytes.
func (r *recentBytes) rarely() bool { return r.next()%16 == 5 }

// instant is up to 65 min ago, or rarely 1 min ahead; and often at the edge of a window.
func (r *recentBytes) instant() []byte {
	switch n := r.next(); {
	case n%4 == 0:
		return r.after([]int64{0, -60_000, -300_000, -3_600_000, -7_200_000}[n/4%5])
	case r.rarely():
		return r.after(60_000)
	}
	return r.after(-int64(r.next() * r.next() * 60))
}

// after is the instant so many ms after now.
func (r *recentBytes) after(ms int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(int64(r.now)+ms))[2:]
}

func (r *recentBytes) entry(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, r.instant()...), uint32(r.next()))
	return binary.BigEndian.AppendUint16(b, []uint16{0x1234, 0x0102, 0x0103}[r.next()%3])
}

// record appends a counter's, under the slot; or rarely another one's, or one that no script makes.
func (r *recentBytes) record(b []byte, slot uint32) []byte {
	kind, limit := byte(1), byte(0)
	if r.rarely() {
		slot = plantedSlot
	}
	if r.rarely() {
		kind = 3
	}
	if r.rarely() {
		limit = 1
	}
	b = append(binary.BigEndian.AppendUint32(b, slot), kind, 0, 0, limit)
	b = append(binary.BigEndian.AppendUint32(b, 3_600_000), r.instant()...)
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, uint32(r.next()%8)), uint32(r.next()%8))
}
