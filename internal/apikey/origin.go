package apikey

import (
	"errors"
	"net/url"
	"strings"
)

// maxOrigin is the longest origin, in bytes: a scheme, the longest name of the DNS (RFC 1035, section 2.3.4) and a port.
const maxOrigin = len("https://") + 253 + len(":65535")

var errOrigin = errors.New("origin: must be as https://shop.example or http://localhost:3000: a scheme, a host and perhaps a port, without a path")

// ParseOrigin returns an origin as browsers send it (RFC 6454, section 6.2): in lower case, and without the port that its
// scheme has anyway.
func ParseOrigin(text string) (string, error) {
	if len(text) > maxOrigin {
		return "", errOrigin
	}
	lower := strings.ToLower(text)
	u, err := url.Parse(lower)
	if err != nil || u.Scheme+"://"+u.Host != lower || u.Hostname() == "" || !isHost(u.Hostname()) {
		return "", errOrigin
	}
	switch u.Scheme + ":" + u.Port() {
	case "http:80", "https:443":
		return u.Scheme + "://" + strings.TrimSuffix(u.Host, ":"+u.Port()), nil
	}
	if u.Scheme != "http" && u.Scheme != "https" || strings.HasSuffix(u.Host, ":") {
		return "", errOrigin
	}
	return lower, nil
}

// isHost takes names and addresses as browsers send them: of a name in another script, its form in ASCII.
func isHost(host string) bool {
	return strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.:_") == ""
}
