package policy

import (
	"net/netip"
	"regexp"
	"strings"
	"time"

	"smsd/internal/sms"
)

// maxReason is the longest reason, in bytes: a line for colleagues.
const maxReason = 200

// targets are what an entry may block, of which it names just one.
var targets = []string{"phone", "prefix", "ip_net", "country"}

func readBlocks(p place, now time.Time) []sms.Block {
	var blocks []sms.Block
	for _, item := range p.list(maxEntries, `a list, as [{phone: "+...", reason: "..."}]`) {
		if b, ok := readBlock(item, now); ok {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

func readBlock(p place, now time.Time) (sms.Block, bool) {
	o, ok := p.object("phone", "prefix", "ip_net", "country", "reason", "until")
	if !ok || !o.oneTarget() {
		return sms.Block{}, false
	}
	b := sms.Block{
		Number:  o.phone("phone"),
		Prefix:  o.prefix("prefix"),
		Network: o.network("ip_net"),
		Country: o.blockedCountry("country"),
		Reason:  o.line("reason", maxReason),
		Until:   o.instant("until"),
		Place:   p.path,
	}
	o.warnEnded(b.Until, now, "nothing is blocked")
	return b, true
}

func (o object) oneTarget() bool {
	n := 0
	for _, key := range targets {
		if _, there := o.fields[key]; there {
			n++
		}
	}
	if n != 1 {
		o.fault("must have exactly one of " + strings.Join(targets, ", "))
	}
	return n == 1
}

// E.164 numbers have at most 15 digits and no calling code starts with 0 (ITU-T E.164, section 6).
var prefixForm = regexp.MustCompile(`^\+[1-9][0-9]{0,14}$`)

func (o object) prefix(key string) string {
	p, there := o.fields[key]
	const what = `the first digits of numbers with their country code, as "+86139"`
	if !there {
		return ""
	}
	text, ok := p.text(what)
	if ok && !prefixForm.MatchString(text) {
		p.fault("must be " + what)
	}
	return text
}

func (o object) network(key string) netip.Prefix {
	p, there := o.fields[key]
	const what = "a network, as 203.0.113.0/24 or 2001:db8::/48 (203.0.113.7/32 for one address)"
	if !there {
		return netip.Prefix{}
	}
	text, ok := p.text(what)
	if !ok {
		return netip.Prefix{}
	}
	network, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		p.fault("must be " + what)
	case network.Addr().Is4In6():
		p.fault("must be written as an IPv4 network, without ::ffff:")
	case network != network.Masked():
		p.faultf("has bits set to the right of its /%d; write zeroes there", network.Bits())
	case network.Bits() == 0:
		p.warnf("blocks every address of its family")
	}
	return network
}

func (o object) blockedCountry(key string) string {
	p, there := o.fields[key]
	if !there {
		return ""
	}
	text, ok := p.text("a two-letter country code (ISO 3166), as CN")
	if !ok {
		return ""
	}
	country, _ := p.country(text, true)
	return country
}

// line reads a text of at most most bytes without control characters.
func (o object) line(key string, most int) string {
	p, there := o.fields[key]
	if !there {
		return ""
	}
	text, ok := p.text("a text")
	switch {
	case !ok:
		return ""
	case len(text) > most:
		p.faultf("must be at most %d bytes", most)
	case strings.ContainsFunc(text, isControl):
		p.fault("must be one line")
	}
	return text
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }
