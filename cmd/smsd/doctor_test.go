package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// doctor is [doctorOnce] where every server answers: on a machine that is busy one may take longer than an examination waits, and is
// examined again.
func doctor(t *testing.T, environ ...string) (code int, out string) {
	t.Helper()
	for range 10 {
		if code, out = doctorOnce(t, environ...); !strings.Contains(out, "no answer to ") {
			break
		}
	}
	return code, out
}

// doctorOnce runs the whole command, and returns its exit code and what it has written.
func doctorOnce(t *testing.T, environ ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	environ = append(environ, "SMSD_DATA_DIR="+t.TempDir(), "SMSD_SECRET="+strings.Repeat("0a", 32))
	code := run(context.Background(), []string{"doctor"}, environ, &out, &out)
	if strings.Contains(out.String(), "hunter2") {
		t.Error("it prints the password")
	}
	t.Logf("exit code %d\n%s", code, &out)
	return code, out.String()
}

func wantExit(t *testing.T, code int, out string, want int, texts ...string) {
	t.Helper()
	if code != want {
		t.Errorf("exit code %d, want %d", code, want)
	}
	words := strings.Join(strings.Fields(out), " ") // columns are as wide as what is in them
	for _, text := range texts {
		if !strings.Contains(words, text) {
			t.Errorf("it does not say %q", text)
		}
	}
}

// The exit code, and the lines that tell why, over a real Redis in each state.
func TestDoctorOnRedis(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t, testserver.Persistent(), testserver.User("smsd", "hunter2", "~smsd:* +@all"))
	env := "SMSD_REDIS_URL=" + s.URL()
	code, out := doctor(t, env)
	wantExit(t, code, out, exitOK, "ok redis.url permissions")

	plant(t, s)
	code, out = doctor(t, env)
	wantExit(t, code, out, exitFailure, "FINDING redis.url keys 1 of 1 key", "smsd: 1 finding")

	s.Freeze()
	began := time.Now()
	code, out = doctorOnce(t, env)
	wantExit(t, code, out, exitFailure, "FINDING redis.url reach no answer to TIME within 2s")
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

// plant sets a key that never expires.
func plant(t *testing.T, s *testserver.RedisServer) {
	t.Helper()
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: s.Socket()})
	defer client.Close()
	if err := client.Set(context.Background(), "smsd:1:planted", "", 0).Err(); err != nil {
		t.Fatal(err)
	}
}

// Counters on a Redis of their own: each is examined, and only theirs must survive its restart.
func TestDoctorOnTwoRedis(t *testing.T) {
	t.Parallel()
	codes, counters := testserver.Redis(t), testserver.Redis(t)
	code, out := doctor(t, "SMSD_REDIS_URL="+codes.URL(), "SMSD_REDIS_COUNTERS_URL="+counters.URL())
	wantExit(t, code, out, exitFailure, "ok redis.url persistence", "FINDING redis.counters_url persistence", "1 finding")
}

// The secret decides which counters are found.
func TestDoctorKnowsTheIndexSecret(t *testing.T) {
	t.Parallel()
	s, folder := testserver.Redis(t, testserver.Persistent()), t.TempDir()
	i := begin(t, []string{"PATH=" + os.Getenv("PATH"), "SMSD_REDIS_URL=" + s.URL(), "SMSD_SECRET=" + strings.Repeat("0a", 32), "SMSD_DATA_DIR=" + folder})
	defer i.kill()
	code, out := doctor(t, "SMSD_REDIS_URL="+s.URL())
	wantExit(t, code, out, exitOK, "the one that the counters here are made with")
	code, out = doctor(t, "SMSD_REDIS_URL="+s.URL(), "SMSD_INDEX_SECRET="+strings.Repeat("0b", 32))
	wantExit(t, code, out, exitFailure, "another index secret")
}

func TestDoctorFaultySettings(t *testing.T) {
	t.Parallel()
	code, out := doctor(t, "SMSD_REDIS_URL=hunter2")
	wantExit(t, code, out, exitUsage, "redis.url (SMSD_REDIS_URL)")
}
