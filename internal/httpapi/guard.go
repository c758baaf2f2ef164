package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// guard keeps web pages out of the admin listener. A page may not read what another origin answers, but
// a page of evil.example whose name now resolves to 127.0.0.1 is of the same origin (DNS rebinding); the
// browser then still sends Host: evil.example, and that is what betrays it.
type guard struct{ names map[string]bool }

func newGuard(names []string) *guard {
	g := &guard{map[string]bool{}}
	for _, name := range names {
		g.names[strings.ToLower(name)] = true
	}
	return g
}

func (g *guard) check(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if !g.knows(r) || isForeign(r) {
			return errForbidden
		}
		return next(c)
	}
}

// knows takes loopback names and addresses, the names that were set, and the very address at which the
// connection arrived: probes and scrapers use it, and no name can be rebound into it.
func (g *guard) knows(r *http.Request) bool {
	host := strings.ToLower(hostname(r.Host))
	if isLoopback(host) || g.names[host] {
		return host != ""
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	ip, err := netip.ParseAddr(host)
	return ok && err == nil && hostOf(local.String()) == plain(ip)
}

// hostname is a Host field without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// isForeign reports whether a page of another origin sent the request. Following a link is no such thing, but to put what it leads
// to into a frame or an image is: so a page could have profiles made and long polls held. Browsers without these fields (Fetch Metadata)
// send Origin with whatever changes something.
func isForeign(r *http.Request) bool {
	if origins := r.Header.Values(echo.HeaderOrigin); len(origins) > 0 {
		return slices.ContainsFunc(origins, func(origin string) bool {
			u, err := url.Parse(origin)
			return err != nil || !isHTTP(u.Scheme) || !strings.EqualFold(u.Host, r.Host)
		})
	}
	switch r.Header.Get(echo.HeaderSecFetchSite) {
	case "", "none", "same-origin":
		return false
	}
	return !isFollowed(r)
}

// isFollowed reports whether somebody follows a link, in a window of its own.
func isFollowed(r *http.Request) bool {
	dest := r.Header.Get("Sec-Fetch-Dest")
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && (dest == "" || dest == "document")
}
