package redisstore

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// kind is how servers stand together.
type kind int

const (
	one      kind = iota // one server
	cluster              // a Redis Cluster
	sentinel             // a primary that sentinels watch, and name
)

// lookedUp is the command that tells where the primaries are.
func (k kind) lookedUp() string {
	if k == sentinel {
		return "SENTINEL"
	}
	return "CLUSTER"
}

// target is what a URL points at.
type target struct {
	kind kind
	// addresses are the server's; or of nodes of the cluster, or of sentinels, each host:port.
	addresses []string
	// master is what the sentinels call the primary and its replicas.
	master string
	// server is how to speak to a server that holds keys: network, login, database, TLS.
	server redis.Options
	// user and password are for the sentinels.
	user, password string
}

// shapes are the schemes that are understood, and what each looks like.
var shapes = map[string]string{
	"redis":           "redis://user:password@host:port/db",
	"rediss":          "rediss://user:password@host:port/db",
	"unix":            "unix://user:password@/path/to/socket?db=0",
	"redis+cluster":   "redis+cluster://user:password@host:port,host:port",
	"rediss+cluster":  "rediss+cluster://user:password@host:port,host:port",
	"redis+sentinel":  "redis+sentinel://user:password@host:port,host:port/master?db=0",
	"rediss+sentinel": "rediss+sentinel://user:password@host:port,host:port/master?db=0",
}

// parseURL reads a URL. Its errors hold nothing of it but the scheme: the rest may be, or be mistaken for, the
// password.
func parseURL(text string) (target, error) {
	scheme, rest, found := strings.Cut(text, "://")
	base, plus, several := strings.Cut(scheme, "+")
	switch {
	case !found:
		return target{}, errors.New("redis url: must begin with redis://, rediss://, unix://, redis+cluster:// or redis+sentinel://")
	case shapes[scheme] == "":
		return target{}, fmt.Errorf("redis url: scheme %q: must be redis, rediss, unix, redis+cluster, rediss+cluster, redis+sentinel or rediss+sentinel", printableScheme(scheme))
	case !several:
		o, err := parseOne(text, scheme, "db")
		return target{addresses: []string{o.Addr}, server: o}, err
	}
	t := target{kind: cluster}
	if plus == "sentinel" {
		t.kind = sentinel
	}
	return t.parse(scheme, base, rest)
}

// printableScheme leaves out what is no scheme, which may be a password.
func printableScheme(scheme string) string {
	if u, err := url.Parse(scheme + "://h"); err == nil && u.Scheme == strings.ToLower(scheme) {
		return scheme
	}
	return "?"
}

// parse reads what stands behind the scheme of a URL with several hosts: each is read as if it stood alone.
func (t target) parse(scheme, base, rest string) (target, error) {
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, behind := rest[:end], rest[end:]
	login := authority[:strings.LastIndex(authority, "@")+1]
	for host := range strings.SplitSeq(authority[len(login):], ",") {
		o, err := parseOne(base+"://"+login+host+t.withoutMaster(behind), scheme, t.queries()...)
		if err != nil {
			return target{}, err
		}
		if host == "" || strings.HasPrefix(host, ":") {
			return target{}, fmt.Errorf("redis url: must be %s", shapes[scheme])
		}
		t.server, t.addresses = o, append(t.addresses, o.Addr)
	}
	if t.server.TLSConfig != nil {
		t.server.TLSConfig.ServerName = "" // each server's own
	}
	return t.parseBehind(scheme, behind)
}

// queries are the settings that may follow the question mark.
func (t target) queries() []string {
	if t.kind == sentinel {
		return []string{"db", "sentinel_user", "sentinel_password"}
	}
	return nil
}

// withoutMaster is what stands behind the hosts without the name of the master.
func (t target) withoutMaster(behind string) string {
	if t.kind != sentinel {
		return behind
	}
	if question := strings.IndexAny(behind, "?#"); question >= 0 {
		return behind[question:]
	}
	return ""
}

func (t target) parseBehind(scheme, behind string) (target, error) {
	u, err := url.Parse(behind)
	fault := fmt.Errorf("redis url: must be %s", shapes[scheme])
	if err != nil {
		return target{}, fault
	}
	name := strings.Trim(u.Path, "/")
	switch {
	case t.kind == cluster && name != "" && name != "0":
		return target{}, errors.New("redis url: a cluster has no databases but 0")
	case t.kind == sentinel && (name == "" || strings.Contains(name, "/")):
		return target{}, fault
	case t.kind == sentinel:
		t.master = name
		t.user, t.password = u.Query().Get("sentinel_user"), u.Query().Get("sentinel_password")
	}
	return t, nil
}

// parseOne reads what go-redis reads, but takes no setting from the query other than the named ones.
func parseOne(text, scheme string, queries ...string) (redis.Options, error) {
	u, err := url.Parse(text)
	if err != nil {
		return redis.Options{}, errors.New("redis url: not a URL (a %, @, / or : in the password must be percent-encoded)")
	}
	if fault := checkQuery(u, queries); fault != nil {
		return redis.Options{}, fault
	}
	options, err := redis.ParseURL(u.String())
	if err != nil || options.DB < 0 {
		return redis.Options{}, fmt.Errorf("redis url: must be %s", shapes[scheme])
	}
	return *options, checkPort(u)
}

// checkQuery leaves of the query what go-redis is to read.
func checkQuery(u *url.URL, queries []string) error {
	query := u.Query()
	for _, name := range queries {
		query.Del(name)
	}
	switch {
	case len(query) > 0 && len(queries) == 0:
		return errors.New("redis url: nothing may follow the question mark")
	case len(query) > 0:
		return fmt.Errorf("redis url: no setting but %s may follow the question mark", strings.Join(queries, ", "))
	case u.Fragment != "":
		return errors.New("redis url: a # in the password must be percent-encoded")
	}
	only := url.Values{}
	if all := u.Query(); all.Has("db") {
		only.Set("db", all.Get("db"))
	}
	u.RawQuery = only.Encode()
	return nil
}

// checkPort catches a port out of range, which would be found at the first call only.
func checkPort(u *url.URL) error {
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return errors.New("redis url: the port must be 1 to 65535")
		}
	}
	return nil
}
