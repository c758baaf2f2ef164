package carrier

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
)

// Endpoint reads the address of a carrier's API: a host, as api.example.com, or a URL with scheme and host alone. It is
// https, since it carries codes; http is for a fake of the carrier on this machine. Errors do not hold the text.
func Endpoint(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("must be a host, as api.example.com, with no path, query or user")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return nil, errors.New("must be https, since it carries codes; http is for a fake on this machine")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("must be https")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}, nil
}

func isLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.IsLoopback()
}
