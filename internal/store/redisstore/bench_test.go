package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// The rules that throttle benchmarks are made with: phone-hour, phone-day, cooldown, hour, day and
// guesses on the key of a phone, ip-burst on that of an address.
func phonePlan() *throttle.Plan {
	const mark = 0x1234
	log := func(limit int64, window time.Duration, mark uint16) throttle.Cell {
		return throttle.Cell{Algorithm: throttle.Log, Limit: limit, Window: window, Mark: mark, Charge: true}
	}
	guesses := log(10, time.Hour, mark)
	guesses.Section, guesses.Charge = throttle.Guess, false
	p := &throttle.Plan{Mark: mark, TTL: 24 * time.Hour, Cells: []throttle.Cell{
		log(5, time.Hour, 0), log(10, 24*time.Hour, 0),
		log(1, time.Minute, mark), log(4, time.Hour, mark), log(8, 24*time.Hour, mark), guesses,
	}}
	p.Retain[throttle.Send], p.Retain[throttle.Guess] = 24*time.Hour, time.Hour
	p.Keep[throttle.Send], p.Keep[throttle.Guess] = throttle.Keep{All: 10, PerMark: 8}, throttle.Keep{PerMark: 10}
	for i := range p.Cells {
		p.Cells[i].Slot = uint32(1000 + i)
	}
	return p
}

func addressPlan() *throttle.Plan {
	p := &throttle.Plan{Mark: 0x1234, TTL: 5 * time.Minute, Cells: []throttle.Cell{
		{Algorithm: throttle.Log, Limit: 25, Window: 5 * time.Minute, Charge: true, Slot: 2000},
	}}
	p.Retain[throttle.Send], p.Keep[throttle.Send] = 5*time.Minute, throttle.Keep{All: 25}
	return p
}

// counterPlan counts one kind of subject by n big rules.
func counterPlan(n int) *throttle.Plan {
	p := &throttle.Plan{Mark: 0x1234, TTL: 2 * time.Hour}
	for i := range n {
		p.Cells = append(p.Cells, throttle.Cell{
			Algorithm: throttle.Counter, Limit: throttle.MaxLimit, Window: time.Hour, Charge: true, Slot: uint32(3000 + i),
		})
	}
	return p
}

func tagged(n int, name string) throttle.Key {
	return throttle.Key{Tag: throttle.Tag(fmt.Sprintf("%022d", n)), Name: name}
}

// measured runs op b.N times from parallel goroutines, and reports Redis's own CPU and the script's share of it.
func measured(b *testing.B, s *testserver.RedisServer, op func(n int)) {
	server := raw(b, s)
	server.ConfigResetStat(context.Background())
	before := cpuMicros(server)
	var n atomic.Int64
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			op(int(n.Add(1)))
		}
	})
	b.StopTimer()
	b.ReportMetric((cpuMicros(server)-before)/float64(b.N), "redis-µs/op")
	b.ReportMetric(scriptMicros(server), "script-µs/op")
}

func cpuMicros(c *redis.Client) float64 {
	info := c.Info(context.Background(), "cpu").Val()
	var sum float64
	for _, field := range []string{"used_cpu_user", "used_cpu_sys"} {
		seconds, _ := strconv.ParseFloat(infoField(info, field), 64)
		sum += seconds * 1e6
	}
	return sum
}

func scriptMicros(c *redis.Client) float64 {
	stat := infoField(c.Info(context.Background(), "commandstats").Val(), "cmdstat_evalsha")
	_, rest, _ := strings.Cut(stat, "usec_per_call=")
	value, _, _ := strings.Cut(rest, ",")
	micros, _ := strconv.ParseFloat(value, 64)
	return micros
}

func BenchmarkTake(b *testing.B) {
	b.Run("fresh", func(b *testing.B) { benchmarkTake(b, 1<<30, 0, false) })
	b.Run("3entries", func(b *testing.B) { benchmarkTake(b, 20_000, 3, true) })
	b.Run("10entries", func(b *testing.B) { benchmarkTake(b, 20_000, 10, true) })
	b.Run("refused", func(b *testing.B) { benchmarkTake(b, 20_000, 10, false) })
}

// benchmarkTake takes for phones that have some entries already; by force, where the rules would refuse.
func benchmarkTake(b *testing.B, phones, entries int, force bool) {
	s := testserver.Redis(b)
	store := open(b, s.URL()).Counters()
	phone, address := phonePlan(), addressPlan()
	take := func(n int, force bool) {
		_, err := store.Take(context.Background(), throttle.Take{ID: uint32(n), Force: force, Groups: []throttle.Group{
			{Key: tagged(n%phones, "p"), Plan: phone}, {Key: tagged(n, "i"), Plan: address},
		}})
		if err != nil {
			b.Error(err)
		}
	}
	for n := range phones * entries {
		take(n, true)
	}
	measured(b, s, func(n int) { take(n, force) })
}

// BenchmarkSend takes for fresh phones and stores a code each: with the charge, and after it.
func BenchmarkSend(b *testing.B) {
	b.Run("together", func(b *testing.B) { benchmarkSend(b, (*Client).CountersBesideCodes) })
	b.Run("apart", func(b *testing.B) { benchmarkSend(b, (*Client).Counters) })
}

func benchmarkSend(b *testing.B, on func(*Client) throttle.Store) {
	s := testserver.Redis(b)
	c := open(b, s.URL())
	store, codes, phone, address, ctx := on(c), c.Codes(), phonePlan(), addressPlan(), context.Background()
	record := record()
	record.Sealed = make([]byte, 80)
	measured(b, s, func(n int) {
		put := &sms.PutErrand{ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", n), Record: record}
		taken, err := store.Take(ctx, throttle.Take{ID: uint32(n), Errand: put, Groups: []throttle.Group{
			{Key: tagged(n, "p"), Plan: phone}, {Key: tagged(n, "i"), Plan: address},
		}})
		if err == nil && !taken.ErrandDone {
			_, err = codes.Put(ctx, put.ID, put.Record)
		}
		if err != nil {
			b.Error(err)
		}
	})
}

func BenchmarkCounter(b *testing.B) {
	s := testserver.Redis(b)
	store := open(b, s.URL()).Counters()
	plan := counterPlan(3)
	measured(b, s, func(n int) {
		take := throttle.Take{ID: uint32(n), Groups: []throttle.Group{{Key: tagged(n%1000, "c"), Plan: plan}}}
		if _, err := store.Take(context.Background(), take); err != nil {
			b.Error(err)
		}
	})
}

func BenchmarkCodes(b *testing.B) {
	s := testserver.Redis(b)
	store := open(b, s.URL()).Codes()
	ctx := context.Background()
	id := func(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
	record := sms.NewRecord{App: "default", Scene: "login", Code: sms.Hash{1}, Phone: sms.Hash{2}, Length: 6, Attempts: 5,
		Sealed: make([]byte, 80), TTL: 5 * time.Minute, Keep: 10 * time.Minute}
	right := sms.Guess{App: "default", Length: 6, Codes: []sms.Hash{{1}}}
	b.Run("put", func(b *testing.B) {
		measured(b, s, func(n int) {
			if _, err := store.Put(ctx, id(n), record); err != nil {
				b.Error(err)
			}
		})
		raw(b, s).FlushAll(ctx)
	})
	b.Run("verify", func(b *testing.B) {
		for n := range b.N {
			if _, err := store.Put(ctx, id(n+1), record); err != nil {
				b.Fatal(err)
			}
		}
		measured(b, s, func(n int) {
			if _, err := store.Verify(ctx, id(n), right); err != nil {
				b.Error(err)
			}
		})
		raw(b, s).FlushAll(ctx)
	})
}
