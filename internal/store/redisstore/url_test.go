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
		at, err := parseURL(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		o := at.server
		if o.Network != c.network || o.Addr != c.addr || o.Username != c.user || o.Password != c.password || o.DB != c.db || (o.TLSConfig != nil) != c.tls {
			t.Errorf("%s: got %s %s %s %s %d", c.url, o.Network, o.Addr, o.Username, o.Password, o.DB)
		}
	}
}

func TestFaultyURLsAreNamedWithoutTheirPassword(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"":                                       "must begin with redis://",
		"host:6379":                              "must begin with redis://",
		"hunter2@host:6379":                      "must begin with redis://",
		"hunter2:6379":                           "must begin with redis://",
		"user:hunter2@host:6379":                 "must begin with redis://",
		"http://user:hunter2@host":               `scheme "http"`,
		"u:hunter2@h://host":                     `scheme "?"`,
		"redis+cluster://u:hunter2@h1:1,h2:x":    "not a URL",
		"redis+cluster://u:hunter2@":             "redis+cluster://user:password@host:port",
		"redis+cluster://u:hunter2@h1,,h2":       "redis+cluster://user:password@host:port",
		"redis+cluster://u:hunter2@:7000":        "redis+cluster://user:password@host:port",
		"redis+cluster://u:hunter2@h1:70000":     "the port must be",
		"redis+cluster://u:hunter2@h1/1":         "no databases but 0",
		"redis+cluster://u:hunter2@h1?db=1":      "nothing may follow",
		"redis+cluster://u:hunter2/@h1":          "not a URL",
		"redis+cluster://u:hunter2#@h1":          "",
		"redis+nodes://u:hunter2@h1":             `scheme "redis+nodes"`,
		"unix+cluster://u:hunter2@h1":            `scheme "unix+cluster"`,
		"rediss+sentinel://u:hunter2@h1:1":       "rediss+sentinel://user:password@host:port,host:port/master",
		"redis+sentinel://u:hunter2@h1/a/b":      "redis+sentinel://user:password@host:port,host:port/master",
		"redis+sentinel://h1/a?password=hunter2": "no setting but db, sentinel_user, sentinel_password",
		"redis+sentinel://u:hunter2@h1/a?db=x":   "redis+sentinel://user:password@host:port,host:port/master",
		"redis://u:hunter2@host:port/0":          "not a URL",
		"redis://u:hunter2%@host":                "not a URL",
		"redis://u:hunter2#@host":                "percent-encoded",
		"redis://u:hunter2/@host":                "not a URL",
		"redis://u:hunter2@host:70000":           "the port must be",
		"redis://u:hunter2@host/hunter2":         "redis://user:password@host:port/db",
		"redis://u:hunter2@host/1/2":             "redis://user:password@host:port/db",
		"redis://u:hunter2@host/-1":              "redis://user:password@host:port/db",
		"redis://u:hunter2@host?db=hunter2":      "redis://user:password@host:port/db",
		"redis://u:hunter2@host?max_retries=9":   "no setting but db",
		"redis://u:hunter2@host?read_timeout=9s": "no setting but db",
		"unix://u:hunter2@":                      "unix://user:password@/path",
		"redis://u:hunter2?@host":                "",
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

func TestParseURLOfSeveralServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url, addresses, user, password, master, sentinelUser, sentinelPassword string
		kind                                                                   kind
		db                                                                     int
		tls                                                                    bool
	}{
		{url: "redis+cluster://h1:1,h2,[::1]:3", kind: cluster, addresses: "h1:1 h2:6379 [::1]:3"},
		{url: "rediss+cluster://u:p%2C%40@h1:1,h2:2/0", kind: cluster, addresses: "h1:1 h2:2", user: "u", password: "p,@", tls: true},
		{url: "redis+sentinel://:pw@h1:1,h2:2/mymaster?db=3", kind: sentinel, addresses: "h1:1 h2:2", password: "pw", master: "mymaster", db: 3},
		{url: "rediss+sentinel://h1:26379/m?sentinel_password=a%26b&sentinel_user=s", kind: sentinel, addresses: "h1:26379", master: "m",
			sentinelUser: "s", sentinelPassword: "a&b", tls: true},
	} {
		at, err := parseURL(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		o := at.server
		if at.kind != c.kind || strings.Join(at.addresses, " ") != c.addresses || o.Username != c.user || o.Password != c.password ||
			o.DB != c.db || at.master != c.master || at.user != c.sentinelUser || at.password != c.sentinelPassword {
			t.Errorf("%s: got %v %s %q %q %d", c.url, at.addresses, at.master, o.Username, at.user, o.DB)
		}
		if (o.TLSConfig != nil) != c.tls || c.tls && o.TLSConfig.ServerName != "" {
			t.Errorf("%s: each server is to show a certificate of its own name: %+v", c.url, o.TLSConfig)
		}
	}
}
