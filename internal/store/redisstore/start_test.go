package redisstore

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

const permissions = "resetchannels &smsd:* ~smsd:* +info " + needed

func TestStartsWithTheLeastPermissions(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t, testserver.User("smsd", "hunter2", permissions))
	c := open(t, s.URL())
	if got := c.Warnings(); len(got) > 0 {
		t.Errorf("warnings: %q", got)
	}
	mustTake(t, c.Counters(), limited("p", 9, time.Hour))
	if _, err := c.Codes().Put(context.Background(), "a", record()); err != nil {
		t.Error(err)
	}
}

// otovo/redis-rate-limiters#11: what is forbidden is named at the start, not found out by the first request.
func TestMissingPermissionIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rule, named string }{
		{"-time", "'time'"}, {"-evalsha", "'evalsha'"}, {"-eval", "'eval'"},
		{"-mget", "as MGET shows"}, {"-set", "as SET shows"}, {"-del", "as DEL shows"},
		{"resetkeys ~other:*", "permissions to access"}, // one of the keys, says Redis 7; a key, says Valkey 8
		{"-client", "'client|setname'"},
	} {
		t.Run(c.named, func(t *testing.T) {
			t.Parallel()
			s := testserver.Redis(t, testserver.User("smsd", "hunter2", "~* +@all", c.rule))
			err := refused(t, options(s.URL()))
			if !strings.Contains(err.Error(), c.named) || !strings.Contains(err.Error(), "permission") {
				t.Errorf("%s: %v", c.rule, err)
			}
		})
	}
}

func TestWrongPasswordIsSaidWithoutIt(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t, testserver.User("smsd", "right", "~* +@all"))
	err := refused(t, options(strings.Replace(s.URL(), "right", "hunter2", 1)))
	if !strings.Contains(err.Error(), "WRONGPASS") {
		t.Errorf("got %v", err)
	}
}

// A database that the server does not have will not come by waiting for it.
func TestDatabaseThatIsNotThereIsFatal(t *testing.T) {
	t.Parallel()
	err := refused(t, options(testserver.Redis(t).URL()+"?db=99"))
	if errors.Is(err, throttle.ErrUnavailable) || !strings.Contains(err.Error(), "database") {
		t.Errorf("got %v", err)
	}
}

// refused opens, which must fail, and never hold the password.
func refused(t *testing.T, o Options) error {
	t.Helper()
	c, err := Open(context.Background(), o)
	if err == nil {
		_ = c.Close()
		t.Fatal("it opens")
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v holds the password", err)
	}
	t.Log(err)
	return err
}

func TestServerThatIsAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	o := options(s.URL(), withBudget(300*time.Millisecond))
	s.Freeze()
	if err := refused(t, o); !errors.Is(err, throttle.ErrUnavailable) {
		t.Errorf("frozen: %v", err)
	}
	s.Kill()
	if err := refused(t, o); !errors.Is(err, throttle.ErrUnavailable) {
		t.Errorf("killed: %v", err)
	}
	o.URL = options("redis+cluster://u:hunter2@").URL
	if err := refused(t, o); errors.Is(err, throttle.ErrUnavailable) {
		t.Errorf("a faulty URL is no outage: %v", err)
	}
}

func TestOtherIndexSecretIsRefused(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	server, ctx := raw(t, s), context.Background()
	with := func(check string) func(*Options) { return func(o *Options) { o.IndexCheck = []byte(check) } }
	first := open(t, s.URL(), with("one"))
	open(t, s.URL(), with("one"))
	if err := refused(t, options(s.URL(), with("two"))); !strings.Contains(err.Error(), "index_secret") {
		t.Errorf("the setting is not named: %v", err)
	}
	open(t, s.URL(), with("two"), ownPrefix(t)) // another prefix, other counters
	open(t, s.URL())                            // not checked

	if ttl := server.TTL(ctx, "smsd:1:index").Val(); ttl < 29*24*time.Hour || ttl > 30*24*time.Hour {
		t.Errorf("the check value lives %s", ttl)
	}
	server.PExpire(ctx, "smsd:1:index", time.Hour)
	first.refreshIndex()
	if ttl := server.TTL(ctx, "smsd:1:index").Val(); ttl < 29*24*time.Hour {
		t.Errorf("the refreshed check value lives %s", ttl)
	}
	server.FlushAll(ctx)
	open(t, s.URL(), with("two"))
	first.refreshIndex()
	if !slices.ContainsFunc(first.Warnings(), func(w string) bool { return strings.Contains(w, "index_secret") }) {
		t.Errorf("no warning of a check value that changed: %q", first.Warnings())
	}
}

func TestEvictingServerIsWarnedOf(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"maxmemory-policy noeviction":   "",
		"maxmemory-policy volatile-lru": "maxmemory-policy is volatile-lru",
		"maxmemory-policy allkeys-lfu":  "maxmemory-policy is allkeys-lfu",
	} {
		s := testserver.Redis(t, testserver.Config(lines))
		got := strings.Join(open(t, s.URL()).Warnings(), "\n")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", lines, got)
		}
	}
	s := testserver.Redis(t, testserver.User("smsd", "hunter2", permissions, "-info"))
	if got := open(t, s.URL()).Warnings(); len(got) != 1 || !strings.Contains(got[0], "INFO") {
		t.Errorf("without INFO: %q", got)
	}
}
