package httpapi

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
)

// origins decides which web pages of other origins may read answers. None is told more than any other
// client: there are no cookies, and so no credentials to allow.
type origins struct {
	exact    map[string]bool
	loopback bool
	keys     *apikey.Directory // adds those of publishable keys; nil: there are none
}

// newOrigins takes exact origins, as "https://app.example.com"; loopback adds those of this machine, and keys
// those of live publishable keys: a preflight carries no key, so any of them will do.
func newOrigins(exact []string, loopback bool, keys *apikey.Directory) (*origins, error) {
	o := &origins{exact: map[string]bool{}, loopback: loopback, keys: keys}
	for _, s := range exact {
		u, err := url.Parse(s)
		if err != nil || !isHTTP(u.Scheme) || u.Host == "" || u.Scheme+"://"+u.Host != s {
			return nil, fmt.Errorf("httpapi: CORS origin %q: must be as https://app.example.com, without a path", s)
		}
		o.exact[strings.ToLower(s)] = true
	}
	return o, nil
}

func isHTTP(scheme string) bool { return scheme == "http" || scheme == "https" }

func (o *origins) allows(origin string) bool {
	if o.exact[origin] || o.keys != nil && o.keys.AllowsOrigin(origin) { // browsers send origins in lower case (RFC 6454, section 4)
		return true
	}
	if !o.loopback {
		return false
	}
	u, err := url.Parse(origin)
	return err == nil && isHTTP(u.Scheme) && u.Scheme+"://"+u.Host == origin && isLoopback(u.Hostname())
}

// isLoopback takes the names that RFC 6761 (section 6.3) keeps on this machine, and its addresses.
func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// preflightAge is how long a browser may remember a preflight, in seconds: short, so that a change of
// the allowed origins is seen within minutes.
const preflightAge = "600"

// exposed are the fields that a page may read beside those that every page may (Fetch, section 3.3.5).
const exposed = "X-Request-Id, Retry-After, RateLimit-Policy, RateLimit, Idempotency-Replayed"

// varyOrigin is on every answer, as [noStore] is: it shares the slice, and who adds to the field copies it.
var varyOrigin = []string{echo.HeaderOrigin}

// cors answers preflights and marks what an allowed origin may read. Whoever is not allowed gets an answer
// without marks, and the browser keeps it from the page.
func (o *origins) cors(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, h := c.Request(), c.Response().Header()
		h[echo.HeaderVary] = varyOrigin
		origin := r.Header.Get(echo.HeaderOrigin)
		allowed := origin != "" && o.allows(origin)
		if allowed {
			h.Set(echo.HeaderAccessControlAllowOrigin, origin)
			h.Set(echo.HeaderAccessControlExposeHeaders, exposed)
		}
		if r.Method != http.MethodOptions || r.Header.Get(echo.HeaderAccessControlRequestMethod) == "" {
			return next(c)
		}
		return preflight(c, h, allowed)
	}
}

func preflight(c echo.Context, h http.Header, allowed bool) error {
	h.Add(echo.HeaderVary, echo.HeaderAccessControlRequestMethod)
	h.Add(echo.HeaderVary, echo.HeaderAccessControlRequestHeaders)
	if allowed {
		h.Set(echo.HeaderAccessControlAllowMethods, "GET, HEAD, POST")
		h.Set(echo.HeaderAccessControlAllowHeaders, "Authorization, Content-Type, Idempotency-Key")
		h.Set(echo.HeaderAccessControlMaxAge, preflightAge)
	}
	return c.NoContent(http.StatusNoContent)
}
