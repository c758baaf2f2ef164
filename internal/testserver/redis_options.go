package testserver

import (
	"fmt"
	"net/url"
	"strings"
)

// RedisOption changes how a server is started.
type RedisOption func(*redisSettings)

type redisSettings struct {
	lines     []string
	environ   []string // of the process, beside this one's
	arguments []string // of the program, behind its redis.conf
	user      *url.Userinfo
	owner     string // the default user's password
	port      int
	bus       int
	sentinel  bool
	tls       bool
}

// Config adds lines to redis.conf; a later line wins over an earlier one.
func Config(lines ...string) RedisOption {
	return func(s *redisSettings) { s.lines = append(s.lines, lines...) }
}

// Persistent keeps the data in an append-only file that is synced at every write, so that
// [RedisServer.Restart] finds it again.
func Persistent() RedisOption { return Config("appendonly yes", "appendfsync always") }

// User adds an ACL user with the given rules (as "~smsd:* +@all -time"), and makes
// [RedisServer.URL] log in as that user. The default user may still do everything.
func User(name, password string, rules ...string) RedisOption {
	return func(s *redisSettings) {
		s.user = url.UserPassword(name, password)
		s.lines = append(s.lines, fmt.Sprintf("user %s on >%s %s", name, password, strings.Join(rules, " ")))
	}
}
