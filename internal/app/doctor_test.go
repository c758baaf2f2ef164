package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/store/redisstore"
	"smsd/internal/testserver"
)

// examined returns each check by its place and name, as "redis.url index". On a machine that is busy a server may take longer than an
// examination waits, and is examined again.
func examined(t *testing.T, cfg *config.Config) (all map[string]redisstore.Checked) {
	t.Helper()
	for again, n := true, 0; again && n < 10; n++ {
		again, all = false, map[string]redisstore.Checked{}
		for _, c := range Examine(t.Context(), cfg) {
			t.Logf("%s %s: %v %s", c.Where, c.Check, c.State, c.Seen)
			all[c.Where+" "+c.Check] = c.Checked
			again = again || strings.HasPrefix(c.Seen, "no answer to ")
		}
	}
	return all
}

func wantState(t *testing.T, all map[string]redisstore.Checked, name string, want redisstore.State) {
	t.Helper()
	if c := all[name]; c.Check == "" || c.State != want {
		t.Errorf("%s: %+v, want %v", name, c, want)
	}
}

// In dev the start makes what is missing; an examination makes nothing, and tells what the start would meet.
func TestExaminationMakesNoSecret(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	cfg := settings(t, onRedis(server.URL()), ofDev)
	all := examined(t, cfg)
	wantState(t, all, "data_dir secret", redisstore.OK)
	wantState(t, all, "redis.url index", redisstore.OK)
	if _, err := os.Stat(cfg.DataDir); err == nil {
		t.Error("it made the folder")
	}

	s := start(t, "", func(c *config.Config) { *c = *cfg })
	if err := s.app.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	all = examined(t, cfg)
	wantState(t, all, "redis.url index", redisstore.OK)
	if !strings.Contains(all["redis.url index"].Seen, "made with") {
		t.Errorf("the secret of the start was not read: %+v", all["redis.url index"])
	}

	file := filepath.Join(cfg.DataDir, "secret")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	wantState(t, examined(t, cfg), "redis.url index", redisstore.Finding)
	if err := os.WriteFile(file, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	all = examined(t, cfg)
	wantState(t, all, "data_dir secret", redisstore.Finding)
	wantState(t, all, "redis.url all", redisstore.Skipped)
}

// Two settings of one server are one examination, and counters are what persistence is asked for.
func TestExaminedOnce(t *testing.T) {
	t.Parallel()
	cfg := settings(t, onRedis(testserver.Redis(t).URL()))
	cfg.Redis.CountersURL = cfg.Redis.URL
	all := examined(t, cfg)
	wantState(t, all, "redis.url persistence", redisstore.Finding)
	if c := all["redis.counters_url reach"]; c.Check != "" {
		t.Errorf("examined twice: %+v", c)
	}
	cfg.Redis.CountersURL = secret.New(testserver.Redis(t, testserver.Persistent()).URL())
	all = examined(t, cfg)
	wantState(t, all, "redis.url persistence", redisstore.OK)
	wantState(t, all, "redis.counters_url persistence", redisstore.OK)
}

// Rows that were set aside, and files that were damaged, wait for somebody who looks.
func TestExaminationFindsRowsThatWait(t *testing.T) {
	t.Parallel()
	cfg := settings(t, ofDev)
	wantState(t, examined(t, cfg), "data_dir records", redisstore.OK)
	for _, name := range []string{"aside/0000000001.spool", "spool/0000000007.spool.damaged"} {
		file := filepath.Join(cfg.DataDir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		all := examined(t, cfg)
		wantState(t, all, "data_dir records", redisstore.Finding)
		if c := all["data_dir records"]; !strings.Contains(c.Seen, filepath.Dir(file)) || c.Do == "" {
			t.Errorf("%+v", c)
		}
		if err := os.RemoveAll(filepath.Dir(file)); err != nil {
			t.Fatal(err)
		}
	}
}
