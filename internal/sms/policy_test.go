package sms

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
)

func TestCountriesAllow(t *testing.T) {
	t.Parallel()
	every := Countries{All: true}
	some := Countries{Named: map[string]bool{"CN": true, "US": true}}
	for _, c := range []struct {
		countries Countries
		number    string
		want      bool
	}{
		{every, "+8613800138000", true},
		{every, "+12025550100", true},
		{every, "+881612345678", false}, // satellite
		{every, "+88213300655", false},  // international networks
		{every, "+80012345678", false},  // international freephone
		{some, "+8613800138000", true},
		{some, "+447400123456", false},
		{some, "+881612345678", false},
		{Countries{}, "+8613800138000", false},
		{Countries{Named: map[string]bool{phone.World: true}}, "+881612345678", true},
	} {
		if got := c.countries.Allows(phone.MustParse(c.number).Country()); got != c.want {
			t.Errorf("%+v, %s: %v", c.countries, c.number, got)
		}
	}
	if every.Allows("") {
		t.Error("no country at all is allowed")
	}
}

func TestBlockCovers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)
	number, client := phone.MustParse("+8613900000000"), address.From(netip.MustParseAddr("203.0.113.7"))
	for _, c := range []struct {
		name  string
		block Block
		want  bool
	}{
		{"the number", Block{Number: number}, true},
		{"another number", Block{Number: phone.MustParse("+8613900000001")}, false},
		{"its prefix", Block{Prefix: "+86139"}, true},
		{"another prefix", Block{Prefix: "+86138"}, false},
		{"the digits without the plus", Block{Prefix: "86139"}, false},
		{"its network", Block{Network: netip.MustParsePrefix("203.0.113.0/24")}, true},
		{"another network", Block{Network: netip.MustParsePrefix("203.0.112.0/24")}, false},
		{"an IPv6 network", Block{Network: netip.MustParsePrefix("::/0")}, false},
		{"its country", Block{Country: "CN"}, true},
		{"another country", Block{Country: "US"}, false},
		{"nothing", Block{}, false},
		{"until later", Block{Number: number, Until: now.Add(1)}, true},
		{"until now", Block{Number: number, Until: now}, false},
	} {
		if got := c.block.Covers(number, client, now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if (Block{Network: netip.MustParsePrefix("0.0.0.0/0")}).Covers(number, address.Addr{}, now) {
		t.Error("a client without an address is in a network")
	}
}

func TestMappedClientIsBlockedAsIPv4(t *testing.T) {
	t.Parallel()
	client := address.From(netip.MustParseAddr("::ffff:203.0.113.7"))
	block := Block{Network: netip.MustParsePrefix("203.0.113.0/24")}
	if !block.Covers(phone.MustParse("+8613900000000"), client, time.Time{}) {
		t.Error("an IPv4 client written as IPv6 passes the block")
	}
}

func TestSceneServes(t *testing.T) {
	t.Parallel()
	scene := &Scene{
		Countries:   Countries{Named: map[string]bool{"CN": true, "US": true}},
		NumberTypes: []phone.Type{phone.Mobile, phone.FixedOrMobile},
	}
	var malformed *phone.Error
	for _, c := range []struct {
		number string
		check  func(error) bool
	}{
		{"+8613800138000", func(err error) bool { return err == nil }},
		{"+12025550100", func(err error) bool { return err == nil }},
		{"+447400123456", func(err error) bool { return errors.Is(err, ErrDestinationNotAllowed) }}, // country
		{"+861062801234", func(err error) bool { return errors.Is(err, ErrDestinationNotAllowed) }}, // fixed line
		{"+18002345678", func(err error) bool { return errors.Is(err, ErrDestinationNotAllowed) }},  // toll free
		{"+8612000138000", func(err error) bool { return errors.As(err, &malformed) }},              // in no range
		{"+881612345678", func(err error) bool { return errors.Is(err, ErrDestinationNotAllowed) }}, // no country
	} {
		n := phone.MustParse(c.number)
		if err := scene.serves(n); !c.check(err) {
			t.Errorf("%s (%s, %s): %v", c.number, n.Country(), n.Type(), err)
		}
	}
	scene.NumberTypes = append(scene.NumberTypes, phone.Unknown)
	if err := scene.serves(phone.MustParse("+8612000138000")); err != nil {
		t.Errorf("a number in no range, where the scene lists unknown: %v", err)
	}
}

// libphonenumber 1194, 937: numbers of odd plans are served where they are possible; no regex of ours.
func TestNumbersOfOddPlansAreServed(t *testing.T) {
	t.Parallel()
	scene := &Scene{
		Countries:   Countries{All: true},
		NumberTypes: []phone.Type{phone.Mobile, phone.FixedOrMobile, phone.FixedLine},
	}
	for _, raw := range []string{"+2250123456789", "+541123456789", "+5491123456789", "+525512345678"} {
		n, err := phone.Parse(raw, "")
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		} else if err := scene.serves(n); err != nil {
			t.Errorf("%s (%s): %v", raw, n.Type(), err)
		}
	}
}
