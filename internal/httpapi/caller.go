package httpapi

import (
	"net/netip"

	"github.com/labstack/echo/v4"

	"smsd/internal/address"
	"smsd/internal/apikey"
	"smsd/internal/sms"
)

// callerKey is where echo's context holds who calls.
const callerKey = "smsd caller"

// callerOf returns who sent the request: of routes behind [callers.anyKey] or [callers.secretOnly] that which they found out,
// of all others nobody, as the default app.
func callerOf(c echo.Context) apikey.Caller {
	if caller, ok := c.Get(callerKey).(apikey.Caller); ok {
		return caller
	}
	return apikey.Caller{App: sms.DefaultApp}
}

// clientOf returns the address that limits count: what a server states of its client, or else the one that the request came from.
// Whoever else states one could be anybody each time.
func (s *public) clientOf(c echo.Context, stated string) (address.Addr, error) {
	if stated == "" {
		return s.clients.of(c.Request()), nil
	}
	if callerOf(c).Kind != apikey.Secret {
		return address.Addr{}, &bindError{[]fault{atPointer("/client_ip", codeNotAllowed)}}
	}
	ip, err := netip.ParseAddr(stated)
	if err != nil || ip.Zone() != "" || ip.IsUnspecified() || ip.IsMulticast() {
		return address.Addr{}, &bindError{[]fault{atPointer("/client_ip", codeInvalid)}}
	}
	return address.From(ip), nil
}
