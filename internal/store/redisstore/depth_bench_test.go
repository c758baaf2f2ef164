package redisstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
	"smsd/lua"
)

// BenchmarkTakeDepth is what the script costs where so many calls share a trip, with nothing of the client before it:
// for phones that are new, that have ten entries and are charged all the same, and that have ten and are refused.
func BenchmarkTakeDepth(b *testing.B) {
	for _, c := range []struct {
		name    string
		entries int
		mode    int
	}{{"fresh", 0, modeTake}, {"10entries", 10, modeForce}, {"refused", 10, modeTake}} {
		for _, depth := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/depth=%d", c.name, depth), func(b *testing.B) {
				d := newDepth(b, testserver.Redis(b))
				d.fill(c.entries)
				d.run(depth, c.mode)
			})
		}
	}
}

// depthBench takes for b.N phones, each from an address of its own.
type depthBench struct {
	*testing.B
	server         *redis.Client
	script         lua.Script
	keys           keyspace
	phone, address string // the plans, packed
}

func newDepth(b *testing.B, s *testserver.RedisServer) *depthBench {
	d := &depthBench{B: b, server: raw(b, s), script: lua.Load().Take, keys: newKeyspace(defaultPrefix)}
	d.phone, d.address = packed(phonePlan()).text, packed(addressPlan()).text
	if err := d.server.ScriptLoad(context.Background(), d.script.Text).Err(); err != nil {
		b.Fatal(err)
	}
	return d
}

// take is one call for the n-th phone.
func (d *depthBench) take(p redis.Pipeliner, n, mode int) {
	keys := []string{d.keys.counter(tagged(n, "p")), d.keys.counter(tagged(n, "i"))}
	p.EvalSha(context.Background(), d.script.SHA, keys, 0, time.Now().Add(time.Hour).UnixMilli(), mode, n, d.phone, d.address)
}

// fill gives each phone so many entries: the first one by takes, the others as copies of it.
func (d *depthBench) fill(entries int) {
	for range entries {
		d.piped(0, 1, func(p redis.Pipeliner, n int) { d.take(p, n, modeForce) })
	}
	if entries == 0 {
		return
	}
	for from := 1; from < d.N; from += 1000 {
		d.piped(from, min(1000, d.N-from), func(p redis.Pipeliner, n int) {
			p.Copy(context.Background(), d.keys.counter(tagged(0, "p")), d.keys.counter(tagged(n, "p")), 0, false)
		})
	}
}

func (d *depthBench) run(depth, mode int) {
	before := cpuMicros(d.server)
	d.ResetTimer()
	for from := 0; from < d.N; from += depth {
		d.piped(from, min(depth, d.N-from), func(p redis.Pipeliner, n int) { d.take(p, n, mode) })
	}
	d.StopTimer()
	d.ReportMetric((cpuMicros(d.server)-before)/float64(d.N), "redis-µs/op")
}

// piped does something for count phones in one trip.
func (d *depthBench) piped(from, count int, do func(p redis.Pipeliner, n int)) {
	p := d.server.Pipeline()
	for n := from; n < from+count; n++ {
		do(p, n)
	}
	if _, err := p.Exec(context.Background()); err != nil {
		d.Fatal(err)
	}
}
