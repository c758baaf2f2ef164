package sms

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
	"smsd/internal/secret"
	"smsd/internal/throttle"
)

// Policy is everything a fraud team tunes, checked and compiled: immutable, swapped whole. One request
// uses one Policy from its beginning to its end.
type Policy struct {
	// Version names the text that it came from: the first 12 hex digits of its SHA-256, or "built-in".
	Version string
	// Apps are the terms of the apps that have their own. Each is whole but for Blocks, and has no Apps itself.
	Apps map[string]*Policy
	// Stated names, for people, the keys that the section of an app gives itself; the rest is the policy's own.
	Stated []string
	Scenes map[string]*Scene
	Rules  *throttle.RuleSet
	// TestNumbers get a fixed code, no message and no charge.
	TestNumbers map[phone.Number]TestNumber
	// Blocks are, of an app's terms, those that it adds: what the policy blocks is blocked for every app.
	Blocks []Block
	// LocalBlock is [throttle.Request].Block of sends: 0 to throttle.MaxBlock.
	LocalBlock time.Duration
	// Routes say which gateways may take a message.
	Routes Routes
	// Prices are what segments cost, for records and metrics.
	Prices Prices
}

// For returns the terms of an app: its own, or p where it has none.
func (p *Policy) For(app string) *Policy {
	if own := p.Apps[app]; own != nil {
		return own
	}
	return p
}

// Scene is why a code is sent, and on what terms.
type Scene struct {
	Name       string
	CodeLength int           // 4 to 10 digits
	TTL        time.Duration // how long a code lives from the gateway's acceptance, whole seconds
	Attempts   int           // how many verifies a code allows, 1 to 20
	Rotate     bool          // a resend draws a fresh code
	// DefaultRegion (ISO 3166, capitals) is for national numbers without a region; may be empty.
	DefaultRegion string
	Countries     Countries
	NumberTypes   []phone.Type
	RequireDevice bool
	Templates     Templates
	// Budget is what a message may take at most; the policy was checked by it, no send is.
	Budget Budget
}

// Countries is where a scene sends: everywhere but [phone.World] ("*"), or the named ones.
type Countries struct {
	All   bool
	Named map[string]bool
}

// Allows reports whether country is among them.
func (c Countries) Allows(country string) bool {
	return c.Named[country] || c.All && country != "" && country != phone.World
}

// TestNumber is a number for testers.
type TestNumber struct {
	Code  secret.Text
	Until time.Time // no end if zero
}

// Block refuses sends to whatever it names; of Number, Prefix, Network and Country just one is set.
type Block struct {
	Number  phone.Number
	Prefix  string // of the E.164 form, with its +
	Network netip.Prefix
	Country string
	Reason  string
	Until   time.Time // no end if zero
	// Place is where it stands in the policy, as "block[3]": what records name it by, since a reason may speak of somebody. May be
	// empty.
	Place string
}

// Covers reports whether b refuses, at now, a send to n that client asks for.
func (b Block) Covers(n phone.Number, client address.Addr, now time.Time) bool {
	switch {
	case over(b.Until, now):
		return false
	case !b.Number.IsZero():
		return b.Number == n
	case b.Prefix != "":
		return strings.HasPrefix(n.E164(), b.Prefix)
	case b.Network.IsValid():
		return b.Network.Contains(client.IP())
	}
	return b.Country != "" && b.Country == n.Country()
}

// over reports whether until has come; the zero until never does.
func over(until, now time.Time) bool { return !until.IsZero() && !now.Before(until) }

// Serves reports whether the scene sends to n.
func (s *Scene) Serves(n phone.Number) bool { return s.serves(n) == nil }

// serves returns nil if the scene sends to n. A number in no range that its country is known to use is
// taken for mistyped, unless the scene lists the type unknown.
func (s *Scene) serves(n phone.Number) error {
	kind := n.Type()
	listed := slices.Contains(s.NumberTypes, kind)
	switch {
	case !s.Countries.Allows(n.Country()):
		return ErrDestinationNotAllowed
	case kind == phone.Unknown && !listed:
		return &phone.Error{Hint: "it is in no range that its country is known to use"}
	case !listed:
		return ErrDestinationNotAllowed
	}
	return nil
}
