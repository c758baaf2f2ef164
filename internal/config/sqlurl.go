package config

import (
	"errors"
	"net/url"
	"strings"

	"smsd/internal/secret"
)

// sqlURLValue is where a PostgreSQL is. Nothing of what was given stands in its errors: a password may be anywhere in a text
// that is no URL.
type sqlURLValue struct{ p *secret.Text }

func (v sqlURLValue) set(text string) error {
	if text == "" {
		*v.p = secret.Text{}
		return nil
	}
	if err := checkSQLURL(text); err != nil {
		return err
	}
	*v.p = secret.New(text)
	return nil
}

func checkSQLURL(text string) error {
	scheme, _, _ := strings.Cut(text, "://")
	if scheme != "postgres" && scheme != "postgresql" {
		return errors.New("must be a URL, as postgres://user:password@host:5432/database, or empty for SQLite in data_dir")
	}
	u, err := url.Parse(text)
	if err != nil {
		return errors.New("is no valid URL; percent-encode what is odd in the password (as %2F for a slash)")
	}
	query, err := url.ParseQuery(u.RawQuery)
	switch {
	case err != nil || u.Fragment != "" || strings.HasSuffix(text, "#"):
		return errors.New("what follows the database must be settings, as ?sslmode=verify-full; percent-encode what is odd in the password (as %23 for #)")
	case u.Hostname() == "" && query.Get("host") == "":
		return errors.New("has no host; write postgres://user:password@host:5432/database, or ?host=/run/postgresql for a socket")
	case strings.Trim(u.Path, "/") == "" && query.Get("dbname") == "":
		return errors.New("names no database; write postgres://user:password@host:5432/database")
	}
	return nil
}

// show leaves out who logs in and how, and the settings, which may say it too.
func (v sqlURLValue) show() string {
	if v.p.IsZero() {
		return ""
	}
	u, err := url.Parse(v.p.Reveal())
	if err != nil {
		return secret.Mask
	}
	login := ""
	if u.User != nil {
		login = secret.Mask + "@"
	}
	return u.Scheme + "://" + login + u.Host + u.Path
}
