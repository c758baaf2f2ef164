package redisstore

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// healthy is a server that nothing is found of.
func healthy(t *testing.T, more ...testserver.RedisOption) *testserver.RedisServer {
	t.Helper()
	return testserver.Redis(t, append([]testserver.RedisOption{testserver.Config("appendonly yes")}, more...)...)
}

// patient are limits that a busy machine does not reach.
var patient = limits{step: 30 * time.Second, scan: 30 * time.Second, total: time.Minute, keys: 1_000_000}

func examineWith(t *testing.T, o Options, change ...func(*examiner)) map[string]Checked {
	t.Helper()
	e, err := newExaminer(o, true, patient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.servers.close() })
	for _, f := range change {
		f(e)
	}
	all := map[string]Checked{}
	for _, c := range e.examine(context.Background()) {
		t.Logf("%-12s %v %s (%s)", c.Check, c.State, c.Seen, c.Do)
		if (c.State == Finding) != (c.Do != "") || c.Seen == "" || strings.Contains(c.Seen+c.Do, "hunter2") {
			t.Errorf("%+v: a finding, and nothing else, says what to do; no check is silent; none holds a password", c)
		}
		if all[c.Check].Check != "" {
			t.Errorf("%s was made twice", c.Check)
		}
		all[c.Check] = c
	}
	return all
}

func examine(t *testing.T, url string, change ...func(*examiner)) map[string]Checked {
	t.Helper()
	return examineWith(t, Options{URL: secret.New(url)}, change...)
}

// wantFindings expects findings of these checks alone, each with the text after its name.
func wantFindings(t *testing.T, all map[string]Checked, want map[string]string) {
	t.Helper()
	for name, c := range all {
		text, expected := want[name]
		if (c.State == Finding) != expected || !strings.Contains(c.Seen, text) {
			t.Errorf("%+v: finding expected: %v, with %q", c, expected, text)
		}
	}
	for name := range want {
		if all[name].Check == "" {
			t.Errorf("no check %s", name)
		}
	}
}

func TestHealthyServer(t *testing.T) {
	t.Parallel()
	all := examine(t, healthy(t).URL())
	wantFindings(t, all, nil)
	for _, name := range []string{"reach", "version", "role", "cluster", "eviction", "persistence", "clock", "keys", "index", "permissions"} {
		if c := all[name]; c.Check == "" || c.State != OK {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// The user of the README needs three commands more, and is told of each that lacks.
func TestExaminedWithTheLeastPermissions(t *testing.T) {
	t.Parallel()
	s := healthy(t, testserver.User("smsd", "hunter2", permissions, "+scan", "+pttl"))
	wantFindings(t, examine(t, s.URL()), nil)
	s = healthy(t, testserver.User("smsd", "hunter2", "resetchannels ~smsd:* "+needed))
	wantFindings(t, examine(t, s.URL()), map[string]string{"version": "INFO is refused", "keys": "'scan'"})
}

// otovo/redis-rate-limiters#11, a permission that is found missing by the first request.
func TestExaminedPermissions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rule, check, named string }{
		{"-time", "reach", "'time'"}, {"-client", "reach", "'client|setname'"},
		{"-evalsha", "permissions", "'evalsha'"}, {"-eval", "permissions", "'eval'"},
		{"-set", "permissions", "as SET shows"}, {"-del", "permissions", "as DEL shows"},
		{"-pttl", "keys", "'pttl'"}, {"-info", "version", "'info'"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			s := healthy(t, testserver.User("smsd", "hunter2", "~* +@all", c.rule))
			if c.rule == "-pttl" {
				raw(t, s).Set(context.Background(), "smsd:1:x", "", time.Hour)
			}
			wantFindings(t, examine(t, s.URL()), map[string]string{c.check: c.named})
		})
	}
	s := healthy(t, testserver.User("smsd", "hunter2", "~* +@all", "-mget"))
	wantFindings(t, examine(t, s.URL()), map[string]string{"index": "'mget'", "permissions": "as MGET shows"})
	wantFindings(t, examine(t, s.URL()+"?db=99"), map[string]string{"reach": "database"})
	s = healthy(t, testserver.User("smsd", "other", "~* +@all"))
	wantFindings(t, examine(t, strings.Replace(s.URL(), "other", "hunter2", 1)), map[string]string{"reach": "WRONGPASS"})
}

// tensorzero#6346, sourcegraph#296: a server that evicts.
func TestExaminedEviction(t *testing.T) {
	t.Parallel()
	s := healthy(t, testserver.Config("maxmemory-policy allkeys-lru", "maxmemory 64mb"))
	wantFindings(t, examine(t, s.URL()), map[string]string{"eviction": "allkeys-lru"})
}

// A full server refuses the scripts' writes, whatever the user may do.
func TestExaminedFullServer(t *testing.T) {
	t.Parallel()
	s := healthy(t, testserver.Config("maxmemory 100kb"))
	wantFindings(t, examine(t, s.URL()), map[string]string{"permissions": "OOM"})
}

func TestExaminedPersistence(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	wantFindings(t, examine(t, s.URL()), map[string]string{"persistence": "neither"})
	wantFindings(t, examine(t, s.URL(), func(e *examiner) { e.counters = false }), nil)
	s = testserver.Redis(t, testserver.Config("save 3600 1"))
	if c := examine(t, s.URL())["persistence"]; c.State != OK || !strings.Contains(c.Seen, "RDB") {
		t.Errorf("%+v", c)
	}
	s = testserver.Redis(t, testserver.User("smsd", "hunter2", "~* +@all -config"))
	wantFindings(t, examine(t, s.URL()), map[string]string{"persistence": "none can see"})
	if err := raw(t, s).Save(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	wantFindings(t, examine(t, s.URL()), nil)
}

// A server that could not write its snapshot refuses writes, or soon will.
func TestExaminedFailedSnapshot(t *testing.T) {
	t.Parallel()
	e := &examiner{Client: &Client{}, counters: true}
	for info, want := range map[string]State{
		"aof_enabled:1\r\nrdb_last_bgsave_status:ok\r\naof_last_write_status:ok\r\n":  OK,
		"aof_enabled:1\r\nrdb_last_bgsave_status:ok\r\naof_last_write_status:err\r\n": Finding,
		"aof_enabled:1\r\nrdb_last_bgsave_status:err\r\n":                             Finding,
	} {
		e.info = info
		if got := e.persistence(context.Background()); got.State != want {
			t.Errorf("%q: %+v", info, got)
		}
	}
}

func TestExaminedVersion(t *testing.T) {
	t.Parallel()
	e := &examiner{Client: &Client{}}
	for version, want := range map[string]bool{"7.0.15": true, "8.4.0": true, "10.0": true, "6.2.14": false, "": false, "x": false} {
		if got := e.versioned("redis_version:" + version + "\r\n"); (got.State == OK) != want {
			t.Errorf("%s: %+v", version, got)
		}
	}
	if got := e.versioned("redis_version:7.2.4\r\nvalkey_version:8.1.1\r\n"); !strings.Contains(got.Seen, "Valkey 8.1.1") {
		t.Errorf("%+v", got)
	}
}

func TestExaminedClocks(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	shifted := func(d time.Duration) map[string]Checked {
		return examine(t, s.URL(), func(e *examiner) { e.local = func() time.Time { return time.Now().Add(d) } })
	}
	wantFindings(t, shifted(90*time.Second), map[string]string{"clock": "behind this machine"})
	wantFindings(t, shifted(-90*time.Second), map[string]string{"clock": "ahead of this machine"})
	wantFindings(t, shifted(900*time.Millisecond), nil)
}

func TestExaminedKeys(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	server, ctx := raw(t, s), context.Background()
	fill(t, server, 3000)
	server.Set(ctx, "another:immortal", "", 0)
	server.Set(ctx, "smsdother:immortal", "", 0)
	all := examine(t, s.URL())
	wantFindings(t, all, nil)
	if seen := all["keys"].Seen; seen != "3000 keys under the prefix, none without a time to live" {
		t.Errorf("got %q", seen)
	}
	server.Set(ctx, "[*]:1:planted", "", 0)
	wantFindings(t, examineWith(t, Options{URL: secret.New(s.URL()), Prefix: "[*]"}), map[string]string{"keys": "1 of 1 key "})
	server.Set(ctx, "smsd:1:{planted}:phone", "", 0)
	server.Set(ctx, "smsd:planted", "", 0)
	all = examine(t, s.URL())
	wantFindings(t, all, map[string]string{"keys": "2 of 3002 keys"})
	if strings.Contains(all["keys"].Seen, "planted") {
		t.Errorf("%q holds a key's name", all["keys"].Seen)
	}
}

// fill sets n keys that expire.
func fill(t *testing.T, server *redis.Client, n int) {
	t.Helper()
	ctx := context.Background()
	_, err := server.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range n {
			p.Set(ctx, fmt.Sprintf("smsd:1:c:{%d}", i), "", time.Hour)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// However many keys there are, it ends, and says that it has not seen all.
func TestExaminedKeysAreBounded(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	fill(t, raw(t, s), 5000)
	few := examine(t, s.URL(), func(e *examiner) { e.limits.keys = 10 })
	if seen := few["keys"].Seen; !strings.Contains(seen, "stopped early, at 1") {
		t.Errorf("bounded in number: %q", seen)
	}
	hasty := examine(t, s.URL(), func(e *examiner) { e.limits.scan = 0 })
	if seen := hasty["keys"].Seen; !strings.Contains(seen, "stopped early, after 0s") {
		t.Errorf("bounded in time: %q", seen)
	}
}

func TestExaminedIndex(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	with := func(check string) Options { return Options{URL: secret.New(s.URL()), IndexCheck: []byte(check)} }
	if c := examineWith(t, with("one"))["index"]; c.State != OK || !strings.Contains(c.Seen, "none") {
		t.Errorf("%+v", c)
	}
	open(t, s.URL(), func(o *Options) { o.IndexCheck = []byte("one") })
	wantFindings(t, examineWith(t, with("one")), nil)
	wantFindings(t, examineWith(t, with("two")), map[string]string{"index": "another index secret"})
	wantFindings(t, examineWith(t, with("")), map[string]string{"index": "another index secret"})
}

func TestExaminedReplica(t *testing.T) {
	t.Parallel()
	s := healthy(t, testserver.Config("replicaof 127.0.0.1 1"))
	all := examine(t, s.URL())
	wantFindings(t, all, map[string]string{"role": "READONLY"})
	if all["permissions"].State != Skipped {
		t.Errorf("%+v", all["permissions"])
	}
}

func TestExaminedCluster(t *testing.T) {
	t.Parallel()
	s := healthy(t, testserver.Port(t), testserver.Config("cluster-enabled yes"))
	wantFindings(t, examine(t, s.URL()), map[string]string{"cluster": "slots"})
}

func TestExaminedServerThatIsAway(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	hasty := func(e *examiner) { e.limits.step = 100 * time.Millisecond }
	s.Freeze()
	wantFindings(t, examine(t, s.URL(), hasty), map[string]string{"reach": "no answer to TIME within 100ms"})
	s.Kill()
	all := examine(t, s.URL())
	wantFindings(t, all, map[string]string{"reach": "no answer to TIME: dial"})
	if all["others"].State != Skipped {
		t.Errorf("%+v", all)
	}
}

// Nobody waits longer than the whole takes, wherever in the midst of it the server falls silent: that is one
// finding, and the rest is not asked for.
func TestExaminedServerThatFallsSilent(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	server := raw(t, s)
	fill(t, server, 100) // three kilobytes of replies
	info := len(server.Info(context.Background()).Val())
	carried := []int{0, 60, info / 2, info + 300, info + 1500, info + 3000}
	found := make([]string, len(carried))
	var work sync.WaitGroup
	for i, bytes := range carried {
		work.Go(func() {
			p := testserver.Proxy(t, s.Socket())
			p.SwallowReplies(bytes)
			found[i] = oneFinding(t, p.URL())
		})
	}
	work.Wait()
	slices.Sort(found)
	if silent := slices.Compact(found); len(silent) < 4 {
		t.Errorf("it fell silent in %v only", silent)
	}
}

// oneFinding examines in haste, and returns the check that has found that nobody answers.
func oneFinding(t *testing.T, url string) string {
	t.Helper()
	var found []string
	began := time.Now()
	for name, c := range examine(t, url, func(e *examiner) {
		e.limits = limits{step: 2 * time.Second, scan: 2 * time.Second, total: 30 * time.Second, keys: 1000}
	}) {
		if c.State == Finding {
			found = append(found, name)
		}
	}
	if took := time.Since(began); took > 15*time.Second || len(found) != 1 {
		t.Errorf("after %s, findings of %v", took, found)
	}
	return strings.Join(found, " ")
}

// It changes nothing, and leaves nothing behind.
func TestExaminationChangesNothing(t *testing.T) {
	t.Parallel()
	s := healthy(t)
	server := raw(t, s)
	fill(t, server, 10)
	before := contents(t, server)
	examineWith(t, Options{URL: secret.New(s.URL()), IndexCheck: []byte("one")})
	if after := contents(t, server); !maps.Equal(after, before) {
		t.Errorf("before: %v, after: %v", before, after)
	}
	stats := server.Info(context.Background(), "commandstats").Val()
	for _, command := range []string{"config|set", "flushall", "persist", "pexpire"} {
		if infoField(stats, "cmdstat_"+command) != "" {
			t.Errorf("it calls %s", command)
		}
	}
}

// A server's words are printed as one line without the password, whatever it says: Redis 5 repeats the arguments
// of a command that it does not know.
func TestExaminedServersWordsAreHarmless(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go answerAll(l, "-ERR unknown command `HELLO`, with args beginning with: `AUTH`, `hunter2`, \x1b[2J"+strings.Repeat("x", 2000)+"\r\n")
	c := examine(t, "redis://u:hunter2@"+l.Addr().String())["reach"]
	if c.State != Finding || len(c.Seen) > maxSeen+10 || strings.Contains(c.Seen, "\x1b") || !strings.Contains(c.Seen, "***") {
		t.Errorf("%+v", c)
	}
}

// answerAll answers whatever comes with the same words, until l closes.
func answerAll(l net.Listener, words string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer func() { _ = conn.Close() }()
			for piece := make([]byte, 4096); ; {
				if _, err := conn.Read(piece); err != nil {
					return
				}
				_, _ = conn.Write([]byte(words))
			}
		}()
	}
}

func TestExamineFaultyURL(t *testing.T) {
	t.Parallel()
	if _, err := Examine(context.Background(), options("redis+cluster://u:hunter2@"), true); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}
