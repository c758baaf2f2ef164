package throttle

import "time"

// Event is what happens, and so which rules apply.
type Event uint8

// The zero Event is Send.
const (
	Send   Event = iota // a message is asked for
	Verify              // a code is submitted
	Guess               // a submitted code was wrong: counted at once, and refuses later sends
	Events = iota
)

var eventNames = [Events]string{"send", "verify", "guess"}

// String returns the policy's word for e.
func (e Event) String() string { return eventNames[e] }

// Algorithm is how a rule counts.
type Algorithm uint8

// The zero Algorithm is Auto.
const (
	Auto    Algorithm = iota // Log up to MaxAutoLog, Counter above
	Log                      // exact: at most Limit in any Window; keeps one entry an event
	Counter                  // two buckets, the older weighted by how much of it is still in the window
	Bucket                   // a bucket of Burst events, from which Limit leak in each Window, evenly
	Fixed                    // a window that begins with the first event; when it ends, all is forgotten at once
)

var algorithmNames = [...]string{"", "log", "counter", "bucket", "fixed"}

// String returns the policy's word for a; empty for Auto, which has none.
func (a Algorithm) String() string { return algorithmNames[a] }

// MaxAutoLog is the largest limit for which Auto means Log.
const MaxAutoLog = 64

// Mode is whether a rule refuses.
type Mode uint8

// The zero Mode is Enforce.
const (
	Enforce Mode = iota
	Shadow       // counted, reported, refuses nothing and touches no enforced count
	Off          // as if the rule were not there
)

var modeNames = [...]string{"enforce", "shadow", "off"}

// String returns the policy's word for m.
func (m Mode) String() string { return modeNames[m] }

// Bounds of a rule. Within them the products of a Counter and of a Bucket stay below 2^53, so that the doubles of
// a Redis script compute them exactly. A Bucket's Burst has a bound beside MaxLimit: what is full must be empty
// after MaxWindow.
const (
	MaxLimit    = 1_000_000
	MaxLogLimit = 1_000 // of a Log rule: each entry takes memory
	MinWindow   = time.Second
	MaxWindow   = 30 * 24 * time.Hour
	MaxRules    = 256 // in one RuleSet
	MaxScenes   = 128 // of all RuleSets in force: with MaxRules, half as many counts as there are marks to tell them apart
	MaxName     = 64  // bytes of a rule's name
)

// Rule allows at most Limit events in a Window for each subject of a kind.
type Rule struct {
	// Name is unique within its scene (or among the rules of every scene); 1 to MaxName of [a-z0-9-_].
	Name string
	// By lists the kinds whose ids together make the subject. Empty: one counter over all.
	By []Kind
	// Scene restricts the rule to events of one scene; empty: every scene.
	Scene string
	// On says which events it counts. A Guess rule counts guesses and refuses sends.
	On Event
	// Limit is 1 to MaxLimit (MaxLogLimit for a Log).
	Limit int64
	// Window is MinWindow to MaxWindow, whole milliseconds.
	Window time.Duration
	// Burst is how many events a Bucket takes at once: 1 to MaxLimit, and so few that Burst·Window/Limit is at most
	// MaxWindow; 0: Limit. Other algorithms have none.
	Burst     int64
	Algorithm Algorithm
	Mode      Mode
}

// Label names the rule among all rules of a RuleSet, and in metrics and decisions: "phone-hour", or
// "login/cooldown" for a rule of one scene.
func (r *Rule) Label() string {
	if r.Scene == "" {
		return r.Name
	}
	return r.Scene + "/" + r.Name
}

// OverAllApps reports whether one count of the rule holds events of all apps: it counts by nothing, or by Scene alone.
func (r *Rule) OverAllApps() bool { return keyKinds(r.By) == 0 }

// Counting returns how the rule counts: its Algorithm, or what Auto stands for; never Auto.
func (r *Rule) Counting() Algorithm {
	if r.Algorithm != Auto {
		return r.Algorithm
	}
	if r.Limit <= MaxAutoLog {
		return Log
	}
	return Counter
}

// Size returns how many events a Bucket takes at once; 0 for a rule that counts otherwise.
func (r *Rule) Size() int64 {
	switch {
	case r.Counting() != Bucket:
		return 0
	case r.Burst == 0:
		return r.Limit
	}
	return r.Burst
}

// marked says that the rule counts each scene apart.
func (r *Rule) marked() bool { return r.Scene != "" || setOf(r.By).has(Scene) }

// asks says that the rule is asked about e: of its own event, and a Guess rule of sends too.
func (r *Rule) asks(e Event) bool { return r.On == e || r.On == Guess && e == Send }
