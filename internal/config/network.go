package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// listenable accepts host:port, with a host that may be empty (every interface).
func listenable(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return errors.New("must be host:port, as 127.0.0.1:8080, or :8080 for every interface")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return errors.New("the port must be 0 to 65535")
	}
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return nil
	}
	if nameLike(253, "-.")(host) != nil { // RFC 1035, section 2.3.4
		return errors.New("the host must be an address or a name")
	}
	return nil
}

// loopback says whether only this machine reaches what listens there.
func loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// items cuts a comma-separated list; blanks around an item do not count.
func items(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	list := strings.Split(text, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// networksValue is a list of CIDRs; an address alone is itself.
type networksValue struct{ p *[]netip.Prefix }

func (v networksValue) set(text string) error {
	var all []netip.Prefix
	for _, item := range items(text) {
		network, err := parseNetwork(item)
		if err != nil {
			return fmt.Errorf("%s: %w", given(item), err)
		}
		all = append(all, network)
	}
	*v.p = all
	return nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	switch {
	case err != nil || network.Addr().Is4In6():
		return netip.Prefix{}, errors.New("must be a network, as 10.0.0.0/8 or fd00::/8")
	case network != network.Masked():
		return netip.Prefix{}, fmt.Errorf("has bits beyond its length; write %s", network.Masked())
	case network.Bits() == 0:
		return netip.Prefix{}, errors.New("trusts everybody, and so everybody could write an address of their own")
	}
	return network, nil
}

func (v networksValue) show() string {
	texts := make([]string, len(*v.p))
	for i, network := range *v.p {
		texts[i] = network.String()
	}
	return strings.Join(texts, ",")
}

// originsValue is a list of web origins (RFC 6454): scheme, host and port.
type originsValue struct{ p *[]string }

func (v originsValue) set(text string) error {
	var all []string
	for _, item := range items(text) {
		u, err := url.Parse(item)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || item != u.Scheme+"://"+u.Host || strings.Contains(u.Host, "*") {
			return fmt.Errorf("%s: must be an origin, as https://shop.example, without a path", given(item))
		}
		all = append(all, strings.ToLower(item))
	}
	*v.p = all
	return nil
}

func (v originsValue) show() string { return strings.Join(*v.p, ",") }

// hostsValue is a list of host names, without ports.
type hostsValue struct{ p *[]string }

func (v hostsValue) set(text string) error {
	var all []string
	for _, item := range items(text) {
		if len(item) > 253 || strings.Trim(item, hostLetters) != "" { // RFC 1035, section 2.3.4
			return fmt.Errorf("%s: must be a host name, as smsd.internal, without a port", given(item))
		}
		all = append(all, strings.ToLower(item))
	}
	*v.p = all
	return nil
}

const hostLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

func (v hostsValue) show() string { return strings.Join(*v.p, ",") }

// publicURLValue is a URL in front of a path: scheme and host, and perhaps the beginning of the path.
type publicURLValue struct{ p *string }

func (v publicURLValue) set(text string) error {
	const longest = 512 // far above what people write, and far below what carriers take
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.User != nil || strings.ContainsAny(text, "?#\r\n ") || len(text) > longest {
		return fmt.Errorf("%s: must be a URL, as https://sms.example.com, without user, query and fragment", given(text))
	}
	*v.p = strings.TrimRight(text, "/")
	return nil
}

func (v publicURLValue) show() string { return *v.p }
