package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"
)

// rebound keeps pages of the web out of a public listener on loopback that asks for no key: that of a developer, whose gateway may be a
// real one. A page of evil.example whose name now resolves to 127.0.0.1 needs no preflight, since it is of the same origin (DNS
// rebinding), and would have messages sent at the developer's expense. As on the admin listener its Host betrays it. Pages of allowed
// origins, and whoever comes without a page or from another machine, are none of these.
func (o *origins) rebound(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		origin := r.Header.Get(echo.HeaderOrigin)
		if origin != "" && !o.allows(origin) && atLoopback(r) && mayBeRebound(r.Host) {
			return errRebound
		}
		return next(c)
	}
}

// mayBeRebound reports whether a Host is a name that somebody's DNS could have led here. An address is none, be it that of a
// developer's proxy whose pages a phone in the same network tries.
func mayBeRebound(host string) bool {
	name := strings.ToLower(hostname(host))
	_, err := netip.ParseAddr(name)
	return err != nil && !isLoopback(name)
}

// atLoopback says whether the connection arrived at an address of loopback.
func atLoopback(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && hostOf(local.String()).IsLoopback()
}
