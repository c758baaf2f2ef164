package httpapi

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A page of the web whose name resolves to a developer's machine (DNS rebinding) has no message sent from there: it needs no preflight,
// since it is of the same origin.
func TestReboundPagesSendNothing(t *testing.T) {
	t.Parallel()
	loopback, network := net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 7)
	a := newAPI(t, func(s *setup) { s.http.CORSOrigins = []string{"http://dev.shop.example"} })
	production := newAPI(t, func(s *setup) { s.http.Dev = false })
	for _, c := range []struct {
		a            *api
		at           net.IP
		host, origin string
		want         int
	}{
		{a, loopback, "evil.example:8080", "http://evil.example:8080", 403},
		{a, loopback, "localhost.evil.example", "http://localhost.evil.example", 403},
		{a, net.IPv6loopback, "evil.example", "http://evil.example", 403},
		{a, loopback, "evil.example:8080", "null", 403},
		{a, loopback, "localhost:8080", "http://localhost:8080", 400},
		{a, loopback, "127.0.0.1:8080", "http://localhost:3000", 400},
		{a, loopback, "dev.shop.example", "http://dev.shop.example", 400}, // a proxy on the same machine
		{a, loopback, "anything.example", "", 400},                        // no page
		{a, loopback, "192.168.0.7:5173", "http://192.168.0.7:5173", 400}, // a proxy whose pages a phone tries: no name leads to an address
		{a, loopback, "[fd00::7]:5173", "http://[fd00::7]:5173", 400},
		{a, loopback, "", "http://evil.example", 403},
		{a, network, "smsd.internal:8080", "http://smsd.internal:8080", 400},
		{production, loopback, "shop.example", "http://shop.example", 401},
	} {
		r := request("POST", "http://placeholder/api/v1/sms/send", "{}")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		r.Host = c.host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: c.at, Port: 8080}))
		if got := c.a.do(c.a.public, r); got.status != c.want || c.want == 403 && (got.code() != "forbidden" || !strings.Contains(got.text("detail"), "http.cors_origins")) {
			t.Errorf("at %s, Host %q, Origin %q: %d %s, want %d", c.at, c.host, c.origin, got.status, got.body, c.want)
		}
	}
}
