package redisstore

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// parseURL reads what go-redis reads, but takes no setting from the query other than db, and its errors
// hold nothing of the URL but the scheme: the rest may be, or be mistaken for, the password.
func parseURL(text string) (*redis.Options, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("redis url: not a URL (a %, @, / or : in the password must be percent-encoded)")
	}
	if !strings.HasPrefix(text, u.Scheme+"://") {
		return nil, errors.New("redis url: must begin with redis://, rediss:// or unix://")
	}
	if err := checkScheme(u.Scheme); err != nil {
		return nil, err
	}
	query := u.Query()
	query.Del("db")
	if len(query) > 0 {
		return nil, errors.New("redis url: no setting but db may follow the question mark")
	}
	if u.Fragment != "" {
		return nil, errors.New("redis url: a # in the password must be percent-encoded")
	}
	options, err := redis.ParseURL(text)
	if err != nil || options.DB < 0 {
		return nil, fmt.Errorf("redis url: must be %s", shapes[u.Scheme])
	}
	return options, checkPort(u)
}

// shapes are the schemes that are understood, and what each looks like.
var shapes = map[string]string{
	"redis":  "redis://user:password@host:port/db",
	"rediss": "rediss://user:password@host:port/db",
	"unix":   "unix://user:password@/path/to/socket?db=0",
}

func checkScheme(scheme string) error {
	switch base, kind, _ := strings.Cut(scheme, "+"); {
	case shapes[scheme] != "":
		return nil
	case (base == "redis" || base == "rediss") && (kind == "cluster" || kind == "sentinel"):
		return fmt.Errorf("redis url: scheme %q: %s comes with a later version", scheme, kind)
	}
	return fmt.Errorf("redis url: scheme %q: must be redis, rediss or unix", scheme)
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
