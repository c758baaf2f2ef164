package redisstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// attacked is what is asked of a release with SMSD_FULL=1, and what every run can do.
func attacked() (attackers int, window time.Duration) {
	if os.Getenv("SMSD_FULL") == "1" {
		return 1_000_000, 10 * time.Minute
	}
	return 5_000, 5 * time.Minute
}

// Attackers without end, each with a number and an address of its own, cost the server so many bytes each, for the time of
// their windows; who was counted before them is counted as before.
func TestMillionAttackersInRedis(t *testing.T) {
	t.Parallel()
	attackers, window := attacked()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	limiter, err := throttle.New(throttle.Options{Store: c.Counters(), IndexSecret: bytes.Repeat([]byte{7}, 32)})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := throttle.Compile([]throttle.Rule{
		{Name: "phone", By: []throttle.Kind{throttle.Phone}, Limit: 2, Window: window},
		{Name: "phone-scene", By: []throttle.Kind{throttle.Phone, throttle.Scene}, Limit: 2, Window: window / 2},
		{Name: "ip", By: []throttle.Kind{throttle.IP}, Limit: 25, Window: window / 2},
	}, []string{"login"})
	if err != nil {
		t.Fatal(err)
	}
	reserve := func(i int) error {
		net := fmt.Sprintf("11.%d.%d.", i>>16, i>>8&255)
		_, err := limiter.Reserve(context.Background(), throttle.Request{Rules: rules, Scene: "login", Subjects: []throttle.Subject{
			{Kind: throttle.Phone, ID: fmt.Sprintf("+86131%08d", i)}, {Kind: throttle.IP, ID: net + strconv.Itoa(i&255)}, {Kind: throttle.IPNet, ID: net + "0/24"},
		}})
		return err
	}
	const honest = 0
	if err := reserve(honest); err != nil {
		t.Fatal(err)
	}
	before := memoryOf(t, server.Info(context.Background(), "memory").Val())
	var next atomic.Int64
	var work sync.WaitGroup
	for range 16 {
		work.Go(func() {
			for i := int(next.Add(1)); i <= attackers; i = int(next.Add(1)) {
				if err := reserve(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	grown := memoryOf(t, server.Info(context.Background(), "memory").Val()) - before
	keys := server.DBSize(context.Background()).Val()
	t.Logf("%d attackers: %d keys, %d bytes for each number with its address", attackers, keys, grown/attackers)
	if grown/attackers > 600 { // two keys of one entry each, 165 bytes and the table's share
		t.Errorf("%d bytes for each attacker", grown/attackers)
	}
	second, third := reserve(honest), reserve(honest)
	if second != nil || !errors.As(third, new(*throttle.Denied)) {
		t.Errorf("of two, the honest one's second: %v, and the third: %v", second, third)
	}
	everyKeyEnds(t, s, window)
}

// memoryOf reads used_memory.
func memoryOf(t *testing.T, info string) int {
	t.Helper()
	n, err := strconv.Atoi(infoField(info, "used_memory"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// everyKeyEnds sees that every key does, within the longest window.
func everyKeyEnds(t *testing.T, s *testserver.RedisServer, longest time.Duration) {
	t.Helper()
	server, ctx := raw(t, s), context.Background()
	for cursor := uint64(0); ; {
		keys, next, err := server.Scan(ctx, cursor, "*", 1000).Result()
		if err != nil {
			t.Fatal(err)
		}
		for i, ttl := range livesOf(t, server, keys) {
			if ttl <= 0 || ttl > longest {
				t.Fatalf("key %q lives %s", keys[i], ttl)
			}
		}
		if cursor = next; cursor == 0 {
			return
		}
	}
}

// livesOf asks for the keys' times to live in one trip.
func livesOf(t *testing.T, server *redis.Client, keys []string) []time.Duration {
	t.Helper()
	asked := make([]*redis.DurationCmd, len(keys))
	_, err := server.Pipelined(context.Background(), func(p redis.Pipeliner) error {
		for i, key := range keys {
			asked[i] = p.PTTL(context.Background(), key)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lives := make([]time.Duration, len(keys))
	for i, cmd := range asked {
		lives[i] = cmd.Val()
	}
	return lives
}

// After the longest window nothing is left: the wall clock of a real server is set forward by it, and it forgets by itself
// all that was counted.
func TestDatabaseIsEmptyAfterTheLongestWindow(t *testing.T) {
	t.Parallel()
	s, clock := testserver.RedisWithClock(t)
	c, server := open(t, s.URL()), raw(t, s)
	const window = time.Hour
	for i := range 500 {
		g := limited("p", 3, window)
		g.Key = tagged(i, "p")
		for range 4 {
			mustTake(t, c.Counters(), g)
		}
	}
	if n := server.DBSize(context.Background()).Val(); n != 500 {
		t.Fatalf("%d keys, want 500", n)
	}
	clock.Step(2*window + time.Second) // a counter has two buckets
	eventually(t, "the database is empty", func() bool { return server.DBSize(context.Background()).Val() == 0 })
}
