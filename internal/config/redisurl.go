package config

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"smsd/internal/secret"
)

// redisURLValue is where a Redis is. Nothing of what was given stands in its errors: a password may be
// anywhere in a text that is no URL.
type redisURLValue struct{ p *secret.Text }

func (v redisURLValue) set(text string) error {
	if text == "" {
		*v.p = secret.Text{}
		return nil
	}
	if err := checkRedisURL(text); err != nil {
		return err
	}
	*v.p = secret.New(text)
	return nil
}

func checkRedisURL(text string) error {
	scheme, _, found := strings.Cut(text, "://")
	switch {
	case !found:
		return errors.New("must be a URL, as redis://user:password@host:6379/0")
	case severalRedis[scheme]:
		return checkSeveralRedis(text)
	}
	u, err := url.Parse(text)
	if err != nil {
		return errors.New("is no valid URL; percent-encode what is odd in the password (as %2F for a slash)")
	}
	query := u.Query()
	query.Del("db")
	if len(query) > 0 || u.Fragment != "" {
		return errors.New("nothing but ?db=0 may follow; percent-encode what is odd in the password (as %23 for #)")
	}
	switch scheme {
	case "redis", "rediss":
		return checkRedisHost(u)
	case "unix":
		if u.Path == "" || u.Host != "" {
			return errors.New("must have the path of a socket, as unix:///run/redis/redis.sock")
		}
		return nil
	}
	return errors.New("must begin with redis://, rediss:// or unix://, or with redis+cluster://, redis+sentinel:// or rediss in their place")
}

func checkRedisHost(u *url.URL) error {
	if u.Hostname() == "" {
		return errors.New("has no host; write redis://host:6379/0")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return errors.New("the port must be 1 to 65535")
		}
	}
	database := strings.Trim(u.Path, "/")
	if n, err := strconv.Atoi(database); database != "" && (err != nil || n < 0) {
		return errors.New("what follows the host must be the number of a database, as /0; percent-encode what is odd in the password")
	}
	return nil
}

// show leaves out who logs in and how.
func (v redisURLValue) show() string {
	if v.p.IsZero() {
		return ""
	}
	r := splitRedisURL(v.p.Reveal())
	u, err := url.Parse(r.behind)
	if err != nil {
		return secret.Mask
	}
	if r.login != "" {
		r.login = secret.Mask + "@"
	}
	return r.scheme + "://" + r.login + r.hosts + u.Path
}
