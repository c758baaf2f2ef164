package redisstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
	"smsd/lua"
)

func TestProf(t *testing.T) {
	if os.Getenv("PROF") == "" {
		t.Skip()
	}
	s := testserver.Redis(t)
	c := open(t, s.URL())
	rc := raw(t, s)
	ctx := context.Background()
	phone, address := phonePlan(), addressPlan()
	const N = 48000
	drive := func(name, text string, gen func(n int) throttle.Take, mode int) {
		best, bestS := 1e9, 1e9
		for range 5 {
			sha := rc.ScriptLoad(ctx, text).Val()
			before := cpuMicros(rc)
			rc.ConfigResetStat(ctx)
			for i := 0; i < N/5; i += 16 {
				_, err := rc.Pipelined(ctx, func(p redis.Pipeliner) error {
					for j := range 16 {
						tk := gen(i + j)
						keys, args := counters{c}.grouped(tk.Groups, mode, tk.ID)
						all := c.arguments(ctx2, call{keys: keys, args: args}, 0, "evalsha", sha)
						p.Do(ctx, all...)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			best = min(best, (cpuMicros(rc)-before)/(N/5))
			bestS = min(bestS, scriptMicros(rc))
		}
		fmt.Printf("%-14s cpu %.1f script %.1f\n", name, best, bestS)
	}
	full := c.scripts.Take.Text
	base := 0
	fresh := func(n int) throttle.Take {
		base++
		return throttle.Take{ID: uint32(n), Groups: []throttle.Group{{Key: tagged(base, "p"), Plan: phone}, {Key: tagged(base, "i"), Plan: address}}}
	}
	floor := `local t=redis.call('TIME') local v=redis.call('MGET',unpack(KEYS)) redis.call('SET',KEYS[1],'xxxxxxxxxxxxxxxxxxxxx','PX',86400000) redis.call('SET',KEYS[2],'xxxxxxxxxxxxxxxxxxxxx','PX',300000) return {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}`
	files, _ := filepath.Glob("/tmp/luaexp/*.lua")
	drive("warmup", floor, fresh, 0)
	drive("floor", floor, fresh, 0)
	drive("fresh", full, fresh, 0)
	for _, f := range files {
		text, _ := os.ReadFile(f)
		drive(filepath.Base(f), string(text), fresh, 0)
	}
	_ = lua.Load
}

var ctx2, _ = context.WithTimeout(context.Background(), 1<<40)
