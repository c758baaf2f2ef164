package carrier

import "net/netip"

// The lists follow RFC 6890, which IANA's registries of special-purpose addresses go back to, and where a line names another,
// that one.

// nat64 is how a network without IPv4 reaches it (RFC 6052, section 2.1).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// globalUnicast is all of IPv6 that is given out (RFC 4291, section 2.4, and IANA); everything else is special.
var globalUnicast = netip.MustParsePrefix("2000::/3")

var private = prefixes(
	"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", // RFC 1918
	"100.64.0.0/10",          // shared, carriers' own NAT: RFC 6598
	"127.0.0.0/8", "::1/128", // loopback
	"169.254.0.0/16", "fe80::/10", // link-local
	"fc00::/7", // unique local: RFC 4193
)

// special are the rest of those that are no single host on the internet.
var special = prefixes(
	"0.0.0.0/8",                                         // this network: Linux takes 0.0.0.0 for itself
	"192.0.0.0/24",                                      // IETF protocol assignments
	"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", // documentation
	"192.88.99.0/24",             // 6to4 relays: RFC 7526
	"198.18.0.0/15",              // benchmarks: RFC 2544
	"224.0.0.0/4",                // multicast
	"240.0.0.0/4",                // reserved, and broadcast
	"2001::/23",                  // IETF protocol assignments, Teredo among them: it holds an IPv4 address
	"2001:db8::/32", "3fff::/20", // documentation: RFC 3849, RFC 9637
	"2002::/16", // 6to4, which holds an IPv4 address: given up by RFC 7526
)

// metadata is where clouds serve their machines' credentials, as far as that is not special anyway.
var metadata = prefixes(
	"169.254.0.0/16",     // AWS, Azure, Google and others at 169.254.169.254; Tencent Cloud at 169.254.0.23; AWS ECS at 169.254.170.2
	"100.100.100.200/32", // Alibaba Cloud
	"168.63.129.16/32",   // Azure, the host of each machine
	"fd00:ec2::/32",      // AWS
	"fd20:ce::254/128",   // Google Cloud
)
