package config

import (
	"flag"
	"fmt"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/settings.md anew")

// everySecret gives every secret a value with hunter2 in it, in hex where it must be.
func everySecret(t *testing.T) *Config {
	secret := strings.Repeat("68756e74657232", 6) // hunter2 in hex
	return load(t, Options{
		File: write(t, "gateways:\n  main: {kind: mock, key: hunter2}\n"),
		Environ: []string{"SMSD_SECRET=" + secret, "SMSD_INDEX_SECRET=" + secret, "SMSD_ADMIN_TOKEN=hunter2hunter2",
			"SMSD_REDIS_URL=redis://hunter2:hunter2@localhost:6379/0", "SMSD_DATABASE_URL=postgres://hunter2:hunter2@db:5432/smsd?password=hunter2", "SMSD_REDIS_COUNTERS_URL=unix://:hunter2@/run/redis.sock"},
	})
}

func TestShowHidesSecrets(t *testing.T) {
	t.Parallel()
	c := everySecret(t)
	var b strings.Builder
	if err := c.Show(&b); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{b.String(), fmt.Sprintf("%v %+v %#v", c, *c, c)} {
		if strings.Contains(text, "hunter2") || strings.Contains(text, "68756e74") {
			t.Errorf("a secret shows:\n%s", text)
		}
	}
	for _, want := range []string{
		"redis.url                         redis://***@localhost:6379/0", "unix://***@/run/redis.sock", "SMSD_REDIS_URL", "postgres://***@db:5432/smsd ",
		"http.listen                       127.0.0.1:8080", "(the built-in policy)", "10 per core", "gateways.main.key                 ***",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("not shown: %s\n%s", want, b.String())
		}
	}
}

func TestSettingsAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Settings() {
		for _, name := range []string{"key " + s.Key, "env " + s.Env, "flag " + s.Flag()} {
			if seen[name] || strings.HasSuffix(name, " ") {
				t.Errorf("%s: %s stands for something else too", s.Key, name)
			}
			seen[name] = true
		}
		if s.Help == "" || s.Default == "" && s.Unset == "" {
			t.Errorf("%s: says nothing of itself", s.Key)
		}
	}
}

// A value that is at fault is not shown as the default that stands in for it, whatever is wrong with it.
func TestShowSaysWhatIsAtFault(t *testing.T) {
	t.Parallel()
	file := write(t, "profile: prod\nsecret: hunter2\nlog: {level: &l loud}\nredis: {prefix: *l, budget: [soon]}\nlocal: {burst: 5, burst: 6}\n"+
		"admin: {token_file: /nowhere/hunter2}\ngateways:\n  main: {kind: *l, key: hunter2}\ndatabase: {url: hunter2}\n")
	c, err := Load(Options{
		File: file,
		Environ: []string{"SMSD_INDEX_SECRET=hunter2", "SMSD_INDEX_SECRET_FILE=/hunter2", "SMSD_REDIS_URL_FILE=/nowhere",
			"SMSD_GATEWAY=a", "SMSD_GATEWAY=b", "SMSD_REDIS_PREFIX=good"},
		Flags: map[string]string{"log-format": "xml"},
	})
	if err == nil {
		t.Fatal("no fault")
	}
	var b strings.Builder
	if err := c.Show(&b); err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for line := range strings.Lines(b.String()) {
		words := strings.Fields(line)
		shown[words[0]] = strings.Join(words[1:], " ")
	}
	for key, want := range map[string]string{
		"profile": "(at fault) " + file + ":1", "secret": "(at fault) " + file + ":2", "log.level": "(at fault) " + file + ":3",
		"redis.budget": "(at fault) " + file + ":4", "local.burst": "(at fault) " + file + ":5", "admin.token": "(at fault) " + file + ":6",
		"gateways.main.kind": "(at fault) " + file + ":8", "gateways.main.key": "*** " + file + ":8", "database.url": "(at fault) " + file + ":9",
		"index_secret": "(at fault) SMSD_INDEX_SECRET_FILE", "redis.url": "(at fault) SMSD_REDIS_URL_FILE",
		"gateway": "(at fault) SMSD_GATEWAY", "log.format": "(at fault) --log-format",
		// What the last source gives is good, and stands.
		"redis.prefix": "good SMSD_REDIS_PREFIX", "data_dir": "./data default",
	} {
		if shown[key] != want {
			t.Errorf("%s: %s\nwant %s", key, shown[key], want)
		}
	}
}
