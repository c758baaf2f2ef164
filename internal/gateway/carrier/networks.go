package carrier

import (
	"errors"
	"net/netip"
	"slices"
	"syscall"
)

// Networks says which addresses may be dialled. It is asked for the very address of each connection, after the
// name was resolved: a name that leads elsewhere a moment later (DNS rebinding) gains nothing.
type Networks uint8

// The networks. Multicast, reserved and unspecified addresses, and those at which clouds serve credentials to their
// machines (metadata), are in none of them but AnyNetwork.
const (
	// AnyNetwork is for a URL that the vendor has chosen, and for tests.
	AnyNetwork Networks = iota
	// PublicOnly is what is routed on the internet.
	PublicOnly
	// PrivateToo is PublicOnly and PrivateOnly.
	PrivateToo
	// PrivateOnly is loopback, private use (RFC 1918, RFC 4193), link-local and shared (RFC 6598) addresses.
	PrivateOnly
)

var errForbidden = errors.New("the address is in a network that must not be reached")

// control returns what a [net.Dialer] asks before it connects; nil if nothing is forbidden.
func (n Networks) control() func(network, address string, _ syscall.RawConn) error {
	if n == AnyNetwork {
		return nil
	}
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !n.Allow(to.Addr()) {
			return errForbidden // without the address: it is not ours to tell
		}
		return nil
	}
}

// Allow reports whether a may be dialled. An IPv4 address inside an IPv6 one (mapped, or behind NAT64) is judged as
// what it is.
func (n Networks) Allow(a netip.Addr) bool {
	a = plain(a)
	switch n {
	case AnyNetwork:
		return true
	case PublicOnly:
		return isPublic(a)
	case PrivateToo:
		return isPublic(a) || isPrivate(a)
	case PrivateOnly:
		return isPrivate(a)
	}
	return false
}

// plain returns the IPv4 address inside a, if there is one that a host or a NAT64 would connect to.
func plain(a netip.Addr) netip.Addr {
	a = a.WithZone("").Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return a
}

func isPublic(a netip.Addr) bool {
	if a.Is6() && !globalUnicast.Contains(a) {
		return false
	}
	return a.IsValid() && !within(metadata, a) && !within(private, a) && !within(special, a)
}

func isPrivate(a netip.Addr) bool { return within(private, a) && !within(metadata, a) }

func within(list []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(a) })
}

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}
