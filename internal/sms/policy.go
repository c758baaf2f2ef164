package sms

import (
	"net/netip"
	"time"

	"smsd/internal/phone"
	"smsd/internal/secret"
	"smsd/internal/throttle"
)

// Policy is everything a fraud team tunes, checked and compiled: immutable, swapped whole. One request
// uses one Policy from its beginning to its end.
type Policy struct {
	// Version names the text that it came from: the first 12 hex digits of its SHA-256, or "built-in".
	Version string
	Scenes  map[string]*Scene
	Rules   *throttle.RuleSet
	// TestNumbers get a fixed code, no message and no charge.
	TestNumbers map[phone.Number]TestNumber
	Blocks      []Block
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
}

// Countries is where a scene sends: everywhere but [phone.World] ("*"), or the named ones.
type Countries struct {
	All   bool
	Named map[string]bool
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
}
