package redisstore

import (
	"strings"
	"testing"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url, network, addr, user, password string
		db                                 int
		tls                                bool
	}{
		{url: "redis://h:1234/5", network: "tcp", addr: "h:1234", db: 5},
		{url: "redis://h", network: "tcp", addr: "h:6379"},
		{url: "redis://[::1]:1234?db=2", network: "tcp", addr: "[::1]:1234", db: 2},
		{url: "rediss://user:p%40%2F%23@h:1234/5", network: "tcp", addr: "h:1234", user: "user", password: "p@/#", db: 5, tls: true},
		{url: "redis://:pw@h", network: "tcp", addr: "h:6379", password: "pw"},
		{url: "unix://user:pw@/run/r.sock?db=3", network: "unix", addr: "/run/r.sock", user: "user", password: "pw", db: 3},
	} {
		o, err := parseURL(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if o.Network != c.network || o.Addr != c.addr || o.Username != c.user || o.Password != c.password || o.DB != c.db || (o.TLSConfig != nil) != c.tls {
			t.Errorf("%s: got %s %s %s %s %d", c.url, o.Network, o.Addr, o.Username, o.Password, o.DB)
		}
	}
}

func TestFaultyURLsAreNamedWithoutTheirPassword(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"":                                    "must begin with redis://",
		"host:6379":                           "must begin with redis://",
		"hunter2@host:6379":                   "not a URL",
		"hunter2:6379":                        "must begin with redis://",
		"user:hunter2@host:6379":              "must begin with redis://",
		"http://user:hunter2@host":            `scheme "http"`,
		"redis+cluster://u:hunter2@h1:1,h2:2": "cluster comes with a later version",
		"rediss+sentinel://u:hunter2@h1:1/master": "sentinel comes with a later version",
		"redis://u:hunter2@host:port/0":           "not a URL",
		"redis://u:hunter2%@host":                 "not a URL",
		"redis://u:hunter2#@host":                 "percent-encoded",
		"redis://u:hunter2/@host":                 "not a URL",
		"redis://u:hunter2@host:70000":            "the port must be",
		"redis://u:hunter2@host/hunter2":          "redis://user:password@host:port/db",
		"redis://u:hunter2@host/1/2":              "redis://user:password@host:port/db",
		"redis://u:hunter2@host/-1":               "redis://user:password@host:port/db",
		"redis://u:hunter2@host?db=hunter2":       "redis://user:password@host:port/db",
		"redis://u:hunter2@host?max_retries=9":    "no setting but db",
		"redis://u:hunter2@host?read_timeout=9s":  "no setting but db",
		"unix://u:hunter2@":                       "unix://user:password@/path",
		"redis://u:hunter2?@host":                 "",
	} {
		_, err := parseURL(url)
		switch {
		case err == nil:
			t.Errorf("%s passes", url)
		case !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %q in it", url, err, want)
		case strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%s: %v holds the password", url, err)
		}
	}
}
