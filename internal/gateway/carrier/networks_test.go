package carrier_test

import (
	"net/netip"
	"testing"

	"smsd/internal/gateway/carrier"
)

// Each address with the networks that hold it: public, private, or none.
func TestNetworks(t *testing.T) {
	t.Parallel()
	for holds, addresses := range map[string][]string{
		"public": {
			"8.8.8.8", "1.1.1.1", "47.100.1.1", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "169.253.0.1",
			"223.255.255.255", "2400:3200::1", "2606:4700:4700::1111", "2001:4860:4860::8888",
			"::ffff:8.8.8.8",   // mapped
			"64:ff9b::808:808", // NAT64
			"2001:200::1", "198.17.255.255", "198.20.0.0",
		},
		"private": {
			"127.0.0.1", "127.255.255.255", "::1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255",
			"fe80::1", "fe80::1%eth0", "fc00::1", "fdff::1",
			"::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::192.168.0.1",
		},
		"none": {
			"0.0.0.0", "::", "0.1.2.3", "224.0.0.1", "239.255.255.255", "255.255.255.255", "240.0.0.1", "ff02::1", "ff05::1:3",
			"192.0.0.192", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "192.88.99.1",
			"169.254.169.254", "169.254.0.23", "169.254.170.2", "100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254",
			"::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b::100.100.100.200", "::ffff:0.0.0.0",
			"2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", // 6to4, whatever is inside
			"2001::1", "2001:0:808:808::", "2001:db8::1", "3fff::1", "64:ff9b:1::1", "::127.0.0.1", "::8.8.8.8", "100::1", "5f00::1", "fec0::1",
		},
	} {
		for _, text := range addresses {
			a := netip.MustParseAddr(text)
			for n, want := range map[carrier.Networks]bool{
				carrier.AnyNetwork: true, carrier.PublicOnly: holds == "public", carrier.PrivateOnly: holds == "private",
				carrier.PrivateToo: holds != "none", carrier.PrivateOnly + 1: false,
			} {
				if got := n.Allow(a); got != want {
					t.Errorf("networks %d: %s allowed: %v, want %v", n, text, got, want)
				}
			}
		}
	}
	if carrier.PublicOnly.Allow(netip.Addr{}) || carrier.PrivateToo.Allow(netip.Addr{}) {
		t.Error("no address is allowed")
	}
}
