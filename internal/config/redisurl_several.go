package config

import (
	"errors"
	"net/url"
	"strings"
)

// severalRedis are the schemes of URLs with several hosts.
var severalRedis = map[string]bool{"redis+cluster": true, "rediss+cluster": true, "redis+sentinel": true, "rediss+sentinel": true}

// redisURL is a URL in pieces. url.Parse takes one host only.
type redisURL struct {
	scheme string
	login  string // with its @, or ""
	hosts  string
	behind string // from the path on
}

func splitRedisURL(text string) (r redisURL) {
	r.scheme, r.hosts, _ = strings.Cut(text, "://")
	if end := strings.IndexAny(r.hosts, "/?#"); end >= 0 {
		r.hosts, r.behind = r.hosts[:end], r.hosts[end:]
	}
	at := strings.LastIndex(r.hosts, "@") + 1
	r.login, r.hosts = r.hosts[:at], r.hosts[at:]
	return r
}

// checkSeveralRedis looks at each host as if it stood alone, and then at what follows them.
func checkSeveralRedis(text string) error {
	r := splitRedisURL(text)
	for host := range strings.SplitSeq(r.hosts, ",") {
		u, err := url.Parse("redis://" + r.login + host)
		if err != nil {
			return errors.New("is no valid URL; percent-encode what is odd in the password (as %2F for a slash)")
		}
		if err := checkRedisHost(u); err != nil {
			return err
		}
	}
	behind, err := url.Parse(r.behind)
	switch {
	case err != nil || behind.Fragment != "":
		return errors.New("is no valid URL; percent-encode what is odd in the password (as %23 for #)")
	case strings.HasSuffix(r.scheme, "+cluster"):
		return checkClusterURL(behind)
	}
	return checkSentinelURL(behind)
}

func checkClusterURL(behind *url.URL) error {
	if strings.Trim(behind.Path, "/0") != "" || behind.RawQuery != "" {
		return errors.New("nothing may follow the hosts: a cluster has no databases")
	}
	return nil
}

func checkSentinelURL(behind *url.URL) error {
	if name := strings.Trim(behind.Path, "/"); name == "" || strings.Contains(name, "/") {
		return errors.New("the name that the sentinels know the primary by must follow the hosts, as redis+sentinel://host:26379,host:26379/mymaster")
	}
	query := behind.Query()
	for _, name := range []string{"db", "sentinel_user", "sentinel_password"} {
		query.Del(name)
	}
	if len(query) > 0 {
		return errors.New("nothing but ?db=0, sentinel_user and sentinel_password may follow")
	}
	return nil
}
