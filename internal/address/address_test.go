package address_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"smsd/internal/address"
)

func TestHowAnAddressIsCounted(t *testing.T) {
	for _, c := range []struct{ in, host, network, printed string }{
		{"203.0.113.77", "203.0.113.77", "203.0.113.0/24", "203.0.113.x"},
		{"::ffff:203.0.113.77", "203.0.113.77", "203.0.113.0/24", "203.0.113.x"}, // authelia#13151
		{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8:1::x"},
		{"2001:db8:1:2:ffff::1", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8:1::x"}, // AspNetCoreRateLimit#32
		{"::1", "::/64", "::/48", "::x"},
		{"0:0:0:0:0:0:0:1", "::/64", "::/48", "::x"},
		{"fe80::1%eth0", "fe80::/64", "fe80::/48", "fe80::x"},
	} {
		a, err := address.Parse(c.in)
		if err != nil {
			t.Fatalf("%s: %v", c.in, err)
		}
		if a.Host() != c.host || a.Network() != c.network || a.String() != c.printed {
			t.Errorf("%s: host %s, network %s, printed %s", c.in, a.Host(), a.Network(), a)
		}
	}
}

func TestNoAddress(t *testing.T) {
	var zero address.Addr
	if !zero.IsZero() || zero.Host() != "" || zero.Network() != "" || zero.String() != "none" {
		t.Fatal("the zero Addr must be no address")
	}
	if _, err := address.Parse("203.0.113.500"); err == nil || strings.Contains(err.Error(), "500") {
		t.Fatalf("want an error that does not echo the text, got %v", err)
	}
}

func TestAnAddressPrintsMasked(t *testing.T) {
	a, _ := address.Parse("203.0.113.77")
	nested := struct{ a address.Addr }{a}
	// The address, its bytes, and its bits as one number of base 16 or 10.
	hidden := []string{"203.0.113.77", "203 0 113 77", "cb00714d", "3405803853", "281474087547213"}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		out := fmt.Sprintf(verb+verb, a, nested)
		for _, text := range hidden {
			if strings.Contains(out, text) {
				t.Errorf("%s printed %s", verb, out)
			}
		}
	}
}

func BenchmarkFrom(b *testing.B) {
	ip := netip.MustParseAddr("203.0.113.77")
	b.ReportAllocs()
	for b.Loop() {
		if a := address.From(ip); a.Host() == "" || a.Network() == "" {
			b.Fatal("no ids")
		}
	}
}
