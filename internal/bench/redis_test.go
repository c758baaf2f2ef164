package bench

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// redisUsage is what a redis-server has used since its start.
type redisUsage struct {
	CPU      time.Duration
	Commands float64 // those that scripts call included
	Reads    float64 // of a socket: commands of one pipeline share them
	Bytes    float64 // on sockets, in and out
}

func (u redisUsage) minus(v redisUsage) redisUsage {
	return redisUsage{u.CPU - v.CPU, u.Commands - v.Commands, u.Reads - v.Reads, u.Bytes - v.Bytes}
}

func (u redisUsage) plus(v redisUsage) redisUsage {
	return redisUsage{u.CPU + v.CPU, u.Commands + v.Commands, u.Reads + v.Reads, u.Bytes + v.Bytes}
}

// watched is a private redis-server and a connection that asks it for its figures.
type watched struct {
	t      testing.TB
	url    string
	client *redis.Client
}

func startRedis(t testing.TB) *watched {
	t.Helper()
	server := testserver.Redis(t)
	return watch(t, server.URL())
}

func watch(t testing.TB, url string) *watched {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return &watched{t, url, client}
}

// servers are those that one service asks. The zero servers are none.
type servers []*watched

// usage is that of all of them together.
func (s servers) usage() (all redisUsage) {
	for _, w := range s {
		all = all.plus(w.usage())
	}
	return all
}

func (w *watched) info() string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	text, err := w.client.Info(ctx, "server", "cpu", "stats", "commandstats").Result()
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

func (w *watched) usage() redisUsage { w.t.Helper(); return parseInfo(w.info()) }

func (w *watched) version() string {
	for name, value := range lines(w.info()) {
		if name == "redis_version" {
			return value
		}
	}
	return "of an unknown version"
}

// lines yields the names and values of an INFO.
func lines(info string) func(yield func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(info) {
			if name, value, found := strings.Cut(strings.TrimSpace(line), ":"); found && !yield(name, value) {
				return
			}
		}
	}
}

func parseInfo(info string) redisUsage {
	var u redisUsage
	for name, value := range lines(info) {
		switch {
		case name == "used_cpu_user" || name == "used_cpu_sys":
			u.CPU += time.Duration(number(value) * float64(time.Second))
		case name == "total_reads_processed":
			u.Reads = number(value)
		case name == "total_net_input_bytes" || name == "total_net_output_bytes":
			u.Bytes += number(value)
		case strings.HasPrefix(name, "cmdstat_"):
			calls, _, _ := strings.Cut(strings.TrimPrefix(value, "calls="), ",")
			u.Commands += number(calls)
		}
	}
	return u
}

// number reads what Redis wrote; what is none is 0, which the table shows.
func number(text string) float64 { n, _ := strconv.ParseFloat(text, 64); return n }

func TestUsageIsReadFromInfo(t *testing.T) {
	t.Parallel()
	got := parseInfo("# CPU\r\nused_cpu_sys:0.25\r\nused_cpu_user:1.5\r\nused_cpu_user_children:9\r\n" +
		"total_reads_processed:12\r\ntotal_net_input_bytes:300\r\ntotal_net_output_bytes:40\r\ncmdstat_set:calls=3,usec=4\r\ncmdstat_evalsha:calls=2,usec=9,failed_calls=1\r\n")
	if want := (redisUsage{1750 * time.Millisecond, 5, 12, 340}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
