// Package address holds client addresses: who is counted at the network's end.
//
// An [Addr] prints masked (203.0.113.x, 2001:db8:1::x). [Addr.Host] and [Addr.Network] are the ids under which
// it is counted; with [Addr.IP] they are the only ways to its bytes.
package address

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
)

// How many bits of an address name a host and a network. A customer's IPv6 line is a /64 at the
// least and a /48 at the most (RFC 6177, section 2), so anything finer is the attacker's to choose.
const (
	hostBits6    = 64
	networkBits4 = 24
	networkBits6 = 48
)

// Addr is one client address. The zero value is no address. Values can't be compared with ==.
type Addr struct {
	// A function for the same reason as in package secret.
	known func() known
}

// known is an address and the ids that every request asks for, more than once.
type known struct {
	ip            netip.Addr
	host, network string
}

// From wraps ip. An IPv4 address mapped into IPv6 becomes IPv4; a zone is dropped.
func From(ip netip.Addr) Addr {
	if !ip.IsValid() {
		return Addr{}
	}
	k := know(ip.Unmap().WithZone(""))
	return Addr{func() known { return k }}
}

// know writes both ids into one text, of which each is a part.
func know(ip netip.Addr) known {
	var room [2 * len("ffff:ffff:ffff:ffff::/64")]byte
	text := appendHost(room[:0], ip)
	end := len(text)
	ids := string(appendNetwork(text, ip))
	return known{ip, ids[:end], ids[end:]}
}

func appendHost(b []byte, ip netip.Addr) []byte {
	if ip.Is4() {
		return ip.AppendTo(b)
	}
	return appendPrefix(b, ip, hostBits6)
}

func appendNetwork(b []byte, ip netip.Addr) []byte {
	if ip.Is4() {
		return appendPrefix(b, ip, networkBits4)
	}
	return appendPrefix(b, ip, networkBits6)
}

func appendPrefix(b []byte, ip netip.Addr, bits int) []byte {
	p, _ := ip.Prefix(bits) // can't fail: bits fits the family
	return p.AppendTo(b)
}

// Parse reads an address as [netip.ParseAddr] does.
func Parse(s string) (Addr, error) {
	ip, err := netip.ParseAddr(s)
	if err != nil {
		return Addr{}, errors.New("not an IP address") // the text itself is a stranger's
	}
	return From(ip), nil
}

// IsZero reports whether there is no address.
func (a Addr) IsZero() bool { return a.known == nil }

func (a Addr) get() known {
	if a.IsZero() {
		return known{}
	}
	return a.known()
}

// IP returns the address itself; the zero Addr gives the zero netip.Addr.
func (a Addr) IP() netip.Addr { return a.get().ip }

// Host returns the id of the host: an IPv4 address, or the /64 of an IPv6 one. "" if there is none.
func (a Addr) Host() string { return a.get().host }

// Network returns the id of the network: the /24 of an IPv4 address, the /48 of an IPv6 one.
func (a Addr) Network() string { return a.get().network }

// String returns the network with the host blanked out.
func (a Addr) String() string {
	ip := a.IP()
	switch {
	case !ip.IsValid():
		return "none"
	case ip.Is4():
		return strings.TrimSuffix(a.Network(), "0/24") + "x"
	}
	return strings.TrimSuffix(a.Network(), "/48") + "x"
}

// Format writes [Addr.String] for every verb.
func (a Addr) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, a.String()) }

// LogValue returns [Addr.String].
func (a Addr) LogValue() slog.Value { return slog.StringValue(a.String()) }

// MarshalText returns [Addr.String].
func (a Addr) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
