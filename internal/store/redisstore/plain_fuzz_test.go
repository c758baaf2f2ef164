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
	for range 300 {
		seed := make([]byte, 4+random.IntN(60))
		for i := range seed {
			seed[i] = byte(random.IntN(256)) >> random.IntN(8)
		}
		f.Add(seed, byte(random.IntN(len(groups))))
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
		{Section: throttle.Send, Algorithm: throttle.Counter, Limit: 5, Window: time.Hour, Slot: plantedSlot},
	}}
	all := []throttle.Group{mixed}
	for _, p := range []*throttle.Plan{phonePlan(), addressPlan(), guesses, asked} {
		all = append(all, throttle.Group{Key: mixed.Key, Plan: p})
	}
	return all
}

// plantedSlot is the slot of the first record that recent makes.
const plantedSlot = 1000

// recent makes of any bytes a value of up to 24 entries in each section and 9 counters, with instants about now.
func recent(planted []byte, now time.Time) []byte {
	in := append(planted[:len(planted):len(planted)], make([]byte, 4)...)
	value, rest, used := []byte{2}, append(in[4:], 1), 0
	next := func() uint64 {
		used++
		return uint64(rest[used%len(rest)])
	}
	instant := func() []byte { // up to 1 min ahead, 65 min ago
		ms := uint64(now.UnixMilli()) + 60_000 - next()*next()*60
		return binary.BigEndian.AppendUint64(nil, ms)[2:]
	}
	entries, records := 0, int(in[3])%10
	for _, n := range in[:3] {
		value = binary.BigEndian.AppendUint16(value, uint16(n%25))
		entries += int(n % 25)
	}
	value = binary.BigEndian.AppendUint16(value, uint16(records))
	for range entries {
		value = binary.BigEndian.AppendUint32(append(value, instant()...), uint32(next()))
		value = binary.BigEndian.AppendUint16(value, []uint16{0x1234, 0x0102, 0x0103}[next()%3])
	}
	for i := range records {
		value = append(binary.BigEndian.AppendUint32(value, plantedSlot+uint32(i)), 1, 0, 0, 0)
		value = append(binary.BigEndian.AppendUint32(value, 3_600_000), instant()...)
		value = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(value, uint32(next()%8)), uint32(next()%8))
	}
	return value
}
