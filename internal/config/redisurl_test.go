package config

import (
	"strings"
	"testing"
)

// URLs of several hosts are taken, and show neither who logs in nor how.
func TestRedisURLOfSeveralHosts(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"redis+cluster://u:hunter2@h1:1,h2,[::1]:3":                               "redis+cluster://***@h1:1,h2,[::1]:3",
		"rediss+cluster://h1:1/0":                                                 "rediss+cluster://h1:1/0",
		"redis+sentinel://:hunter2@h1:1,h2:2/main?sentinel_password=hunter2&db=3": "redis+sentinel://***@h1:1,h2:2/main",
	} {
		c := load(t, Options{Environ: []string{"SMSD_REDIS_URL=" + url}})
		var b strings.Builder
		if err := c.Show(&b); err != nil {
			t.Fatal(err)
		}
		if c.Redis.URL.Reveal() != url || !strings.Contains(b.String(), want+" ") || strings.Contains(b.String(), "hunter2") {
			t.Errorf("%s: shown as\n%s", url, b.String())
		}
	}
}
