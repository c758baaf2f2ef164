package redisstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
	"smsd/lua"
)

// BenchmarkSendDepth is what a send costs Redis where 16 share a trip, with the code stored and nothing of the client
// before it, by the policy:
//   - fresh: seven rules on two keys, both new at each send;
//   - addresses: the same, with an address for every four sends, so that three find what the first has left;
//   - refused: the same, for numbers that wait for the cooldown;
//   - counters: like the built-in policy, with counters over networks (16 sends each), ranges (64) and everything.
func BenchmarkSendDepth(b *testing.B) {
	b.Run("fresh", func(b *testing.B) { newSendDepth(b, 1<<30, sevenRules(1)).run() })
	b.Run("addresses", func(b *testing.B) { newSendDepth(b, 1<<30, sevenRules(4)).run() })
	b.Run("refused", func(b *testing.B) {
		d := newSendDepth(b, 1000, sevenRules(4))
		for from := 0; from < d.phones; from += sendDepth {
			d.send(from, sendDepth)
		}
		d.run()
	})
	b.Run("counters", func(b *testing.B) { newSendDepth(b, 1<<30, countedRules()).run() })
}

// sendDepth is how many sends share a trip.
const sendDepth = 16

// sendDepthBench sends b.N codes to so many phones.
type sendDepthBench struct {
	*testing.B
	server *redis.Client
	script lua.Script
	keys   keyspace
	phones int
	groups func(n int) []throttle.Group
	record []byte
}

func newSendDepth(b *testing.B, phones int, groups func(n int) []throttle.Group) *sendDepthBench {
	d := &sendDepthBench{
		B: b, server: raw(b, testserver.Redis(b)), script: lua.Load().Send, keys: newKeyspace(defaultPrefix),
		phones: phones, groups: groups,
	}
	if err := d.server.ScriptLoad(context.Background(), d.script.Text).Err(); err != nil {
		b.Fatal(err)
	}
	r := record()
	r.Sealed = make([]byte, 80)
	var err error
	if d.record, err = packNew(r); err != nil {
		b.Fatal(err)
	}
	return d
}

func (d *sendDepthBench) run() {
	before := cpuMicros(d.server)
	d.ResetTimer()
	for from := 0; from < d.N; from += sendDepth {
		d.send(from, min(sendDepth, d.N-from))
	}
	d.StopTimer()
	d.ReportMetric((cpuMicros(d.server)-before)/float64(d.N), "redis-µs/op")
}

func (d *sendDepthBench) send(from, count int) {
	p := d.server.Pipeline()
	for n := from; n < from+count; n++ {
		args := []any{0, time.Now().Add(time.Hour).UnixMilli(), modeSend, n}
		var keys []string
		for _, g := range d.groups(n % d.phones) {
			keys, args = append(keys, d.keys.counter(g.Key)), append(args, packed(g.Plan).text)
		}
		keys = append(keys, d.keys.code(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)))
		p.EvalSha(context.Background(), d.script.SHA, keys, append(args, d.record)...)
	}
	if _, err := p.Exec(context.Background()); err != nil {
		d.Fatal(err)
	}
}

// sevenRules returns the groups of the n-th phone, where so many share an address.
func sevenRules(phones int) func(n int) []throttle.Group {
	phone, address := phonePlan(), addressPlan()
	return func(n int) []throttle.Group {
		return []throttle.Group{{Key: tagged(n, "p"), Plan: phone}, {Key: tagged(n/phones, "i"), Plan: address}}
	}
}

// countedRules returns the groups of the n-th phone as the built-in policy has them.
func countedRules() func(n int) []throttle.Group {
	phone, address, counter := phonePlan(), addressPlan(), counterPlan(1)
	return func(n int) []throttle.Group {
		return []throttle.Group{
			{Key: tagged(n, "p"), Plan: phone}, {Key: tagged(n/4, "i"), Plan: address}, {Key: tagged(n/16, "in"), Plan: counter},
			{Key: tagged(n/64, "x"), Plan: counter}, {Key: tagged(0, "t"), Plan: counter}, {Key: tagged(n, "pin"), Plan: address},
		}
	}
}
