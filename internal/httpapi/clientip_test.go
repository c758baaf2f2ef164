package httpapi

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func prefixes(list ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range list {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// Forged and multiple X-Forwarded-For, from trusted and untrusted peers: fastapi-limiter#11,
// Eventra#13384, qryptchat-web PR 79, TravellersMeet 410.
func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := prefixes("10.0.0.0/8", "::ffff:192.168.0.0/112", "fd00::/8", "127.0.0.1/32")
	for _, c := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"direct", "203.0.113.9:5000", nil, "203.0.113.9"},
		{"direct, forged", "203.0.113.9:5000", []string{"198.51.100.1"}, "203.0.113.9"},
		{"direct, forged as a proxy", "203.0.113.9:5000", []string{"10.0.0.1"}, "203.0.113.9"},
		{"one proxy", "10.0.0.1:5000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"one proxy, forged left", "10.0.0.1:5000", []string{"198.51.100.1, 203.0.113.9"}, "203.0.113.9"},
		{"one proxy, forged in its own header", "10.0.0.1:5000", []string{"198.51.100.1", "203.0.113.9"}, "203.0.113.9"},
		{"one proxy, forged trusted left", "10.0.0.1:5000", []string{"10.9.9.9, 203.0.113.9"}, "203.0.113.9"},
		{"two proxies", "10.0.0.1:5000", []string{"203.0.113.9, 10.0.0.2"}, "203.0.113.9"},
		{"two proxies, two headers", "10.0.0.1:5000", []string{"198.51.100.1,203.0.113.9", "10.0.0.2"}, "203.0.113.9"},
		{"all trusted", "10.0.0.1:5000", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"garbage stops at the last good one", "10.0.0.1:5000", []string{"203.0.113.9, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"garbage alone", "10.0.0.1:5000", []string{"<script>"}, "10.0.0.1"},
		{"empty", "10.0.0.1:5000", []string{""}, "10.0.0.1"},
		{"empty entries", "10.0.0.1:5000", []string{"203.0.113.9,,"}, "10.0.0.1"},
		{"with a port", "10.0.0.1:5000", []string{"203.0.113.9:1234"}, "203.0.113.9"},
		{"IPv6", "[2001:db8::1]:5000", nil, "2001:db8::1"},
		{"IPv6 in brackets", "10.0.0.1:5000", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"IPv6 in brackets with a port", "10.0.0.1:5000", []string{"[2001:db8::1]:443"}, "2001:db8::1"},
		{"IPv6 proxy with a zone", "[fd00::1%eth0]:5000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"mapped peer", "[::ffff:203.0.113.9]:5000", nil, "203.0.113.9"},
		{"mapped proxy", "[::ffff:10.0.0.1]:5000", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"mapped prefix", "192.168.1.1:5000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"unix socket", "@", []string{"203.0.113.9"}, ""},
		{"no peer", "", nil, ""},
		{"no port", "203.0.113.9", nil, "203.0.113.9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &http.Request{RemoteAddr: c.peer, Header: http.Header{}}
			for _, f := range c.forwarded {
				r.Header.Add("X-Forwarded-For", f)
			}
			of := newClients(proxies, slog.New(slog.DiscardHandler))
			if got := of.extract(r); got != c.want {
				t.Errorf("client %q, want %q", got, c.want)
			}
			if got := of.of(r).IP(); got.IsValid() && got.String() != c.want || !got.IsValid() && c.want != "" {
				t.Errorf("address %v, want %q", got, c.want)
			}
		})
	}
}

func TestForgedHeaderWarnsOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	of := newClients(prefixes("10.0.0.0/8"), slog.New(slog.NewTextHandler(&log, nil)))
	for range 3 {
		of.of(&http.Request{RemoteAddr: "203.0.113.9:1", Header: http.Header{"X-Forwarded-For": {"198.51.100.77"}}})
	}
	if n := strings.Count(log.String(), "X-Forwarded-For ignored"); n != 1 {
		t.Errorf("%d warnings, want 1:\n%s", n, log.String())
	}
	for _, address := range []string{"203.0.113.9", "198.51.100.77"} {
		if strings.Contains(log.String(), address) {
			t.Errorf("the log holds %s: %s", address, log.String())
		}
	}
}

func BenchmarkClientAddress(b *testing.B) {
	of := newClients(prefixes("10.0.0.0/8"), slog.New(slog.DiscardHandler))
	r := &http.Request{RemoteAddr: "10.0.0.1:5000", Header: http.Header{"X-Forwarded-For": {"198.51.100.1, 203.0.113.9, 10.0.0.2"}}}
	b.ReportAllocs()
	for b.Loop() {
		of.of(r)
	}
}
