package redisstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/lua"
)

// BenchmarkCodesDepth is what the scripts of codes cost Redis where 16 calls share a trip, with nothing of the client before
// them: a code put, a wrong guess, and the right one.
func BenchmarkCodesDepth(b *testing.B) {
	d := codesDepthBench{server: raw(b, testserver.Redis(b)), keys: newKeyspace(defaultPrefix)}
	r := record()
	r.Sealed, r.Attempts = make([]byte, 80), 250
	packed, err := packNew(r)
	if err != nil {
		b.Fatal(err)
	}
	scripts := lua.Load()
	verify := func(code byte) []byte {
		packed, err := packGuess(sms.Guess{
			App: "default", Length: 6, Scene: "login", Phone: sms.Hash{2}, Codes: []sms.Hash{{code}}, Mark: sms.Hash{3},
		})
		if err != nil {
			b.Fatal(err)
		}
		return packed
	}
	b.Run("put", func(b *testing.B) { d.run(b, scripts.CodePut, packed) })
	for _, c := range []struct {
		name string
		code byte
	}{{"wrong", 9}, {"right", 1}} {
		b.Run(c.name, func(b *testing.B) {
			for from := 0; from < b.N; from += sendDepth {
				d.calls(b, from, min(sendDepth, b.N-from), scripts.CodePut, packed)
			}
			b.ResetTimer()
			d.run(b, scripts.CodeVerify, verify(c.code))
		})
	}
}

type codesDepthBench struct {
	server *redis.Client
	keys   keyspace
}

// run calls the script for b.N codes, one after the other, and then forgets them.
func (d codesDepthBench) run(b *testing.B, script lua.Script, args ...any) {
	before := cpuMicros(d.server)
	for from := 0; from < b.N; from += sendDepth {
		d.calls(b, from, min(sendDepth, b.N-from), script, args...)
	}
	b.ReportMetric((cpuMicros(d.server)-before)/float64(b.N), "redis-µs/op")
	b.StopTimer()
	d.server.FlushAll(context.Background())
}

func (d codesDepthBench) calls(b *testing.B, from, count int, script lua.Script, args ...any) {
	b.Helper()
	if from == 0 {
		if err := d.server.ScriptLoad(context.Background(), script.Text).Err(); err != nil {
			b.Fatal(err)
		}
	}
	p := d.server.Pipeline()
	for n := from; n < from+count; n++ {
		key := d.keys.code(fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
		p.EvalSha(context.Background(), script.SHA, []string{key}, append([]any{0, time.Now().Add(time.Hour).UnixMilli()}, args...)...)
	}
	if _, err := p.Exec(context.Background()); err != nil {
		b.Fatal(err)
	}
}
