package httpapi

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"smsd/internal/address"
)

const headerForwardedFor = "X-Forwarded-For"

// clients finds out who sent a request: the TCP peer, and only behind a trusted proxy whom that proxy
// names. Safe for concurrent use.
type clients struct {
	trusted []netip.Prefix
	logger  *slog.Logger
	ignored sync.Once
}

func newClients(trusted []netip.Prefix, logger *slog.Logger) *clients {
	c := &clients{logger: logger}
	for _, p := range trusted {
		c.trusted = append(c.trusted, unmapped(p))
	}
	return c
}

// unmapped turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, as addresses are unmapped too.
func unmapped(p netip.Prefix) netip.Prefix {
	const mappedBits = 96 // RFC 4291, section 2.5.5.2
	if p.Addr().Is4In6() && p.Bits() >= mappedBits {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mappedBits).Masked()
	}
	return p.Masked()
}

// of returns the client's address: none where the peer has none (a unix socket).
func (c *clients) of(r *http.Request) address.Addr { return address.From(c.ip(r)) }

// extract is echo's IPExtractor, so that [echo.Context.RealIP] can't tell another story.
func (c *clients) extract(r *http.Request) string {
	ip := c.ip(r)
	if !ip.IsValid() {
		return ""
	}
	return ip.String()
}

func (c *clients) ip(r *http.Request) netip.Addr {
	peer := peerOf(r)
	forwarded := r.Header[headerForwardedFor]
	if len(forwarded) == 0 {
		return peer
	}
	if !c.trusts(peer) {
		c.warn(peer)
		return peer
	}
	return c.walk(peer, forwarded)
}

// peerOf is the other end of the connection, as net/http writes it: an address and a port. A unix socket has none.
func peerOf(r *http.Request) netip.Addr {
	if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return plain(at.Addr())
	}
	return hostOf(r.RemoteAddr)
}

// walk goes through the entries from the right, the end that the nearest proxy wrote, to the first
// address that is not trusted. An entry that is no address ends the walk, for what stands left of it
// was written by nobody we know: the last trusted one is the client then, as it is where all are trusted.
func (c *clients) walk(last netip.Addr, headers []string) netip.Addr {
	for i := len(headers) - 1; i >= 0; i-- {
		for rest, more := headers[i], true; more; {
			var entry string
			rest, entry, more = cutLast(rest)
			ip := hostOf(entry)
			if !ip.IsValid() {
				return last
			}
			if last = ip; !c.trusts(ip) {
				return ip
			}
		}
	}
	return last
}

// cutLast takes the entry behind the last comma off list.
func cutLast(list string) (rest, entry string, more bool) {
	if i := strings.LastIndexByte(list, ','); i >= 0 {
		return list[:i], strings.TrimSpace(list[i+1:]), true
	}
	return "", strings.TrimSpace(list), false
}

func (c *clients) trusts(ip netip.Addr) bool {
	for _, p := range c.trusted {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

// warn speaks once: whoever sends such a header sends it with every request.
func (c *clients) warn(peer netip.Addr) {
	c.ignored.Do(func() {
		c.logger.Warn("X-Forwarded-For ignored: the peer is not in http.trusted_proxies; said once",
			"peer", address.From(peer))
	})
}

// hostOf reads an address with or without brackets and a port. What it can't read is the zero Addr.
func hostOf(s string) netip.Addr {
	if ip, err := netip.ParseAddr(s); err == nil {
		return plain(ip)
	}
	if host, _, err := net.SplitHostPort(s); err == nil {
		s = host
	} else {
		s = strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	}
	ip, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Addr{}
	}
	return plain(ip)
}

func plain(ip netip.Addr) netip.Addr { return ip.Unmap().WithZone("") }
