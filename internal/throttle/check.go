package throttle

import (
	"errors"
	"fmt"
	"time"
)

// RuleError is one fault of one rule.
type RuleError struct {
	// Index is the rule's place in what Compile was given.
	Index int
	// Label is the rule's [Rule.Label].
	Label string
	// Field is the policy's word for what is at fault: name, by, scene, on, limit, window, burst, algorithm, mode.
	Field string
	// Text says what must hold.
	Text string
}

func (e *RuleError) Error() string {
	return fmt.Sprintf("rule %q: %s: %s", e.Label, e.Field, e.Text)
}

// checker collects the faults of a list of rules.
type checker struct {
	own    map[string]bool // the scenes of the set
	scenes map[string]bool // of all sets
	names  map[string]bool
	faults []error
}

// check returns every fault of rules and of all scenes, joined.
func check(rules []Rule, scenes, all []string) error {
	c := &checker{own: map[string]bool{}, scenes: map[string]bool{}, names: map[string]bool{}}
	for _, s := range scenes {
		c.own[s] = true
	}
	c.checkScenes(all)
	if len(rules) > MaxRules {
		c.faults = append(c.faults, fmt.Errorf("%d rules: must be at most %d", len(rules), MaxRules))
	}
	for i := range rules {
		c.checkRule(i, &rules[i])
	}
	return errors.Join(c.faults...)
}

func (c *checker) checkScenes(scenes []string) {
	if len(scenes) > MaxScenes {
		c.faults = append(c.faults, fmt.Errorf("%d scenes: must be at most %d", len(scenes), MaxScenes))
	}
	marks := map[uint16]string{}
	for _, s := range scenes {
		mark := sceneMark(s)
		other, taken := marks[mark]
		switch {
		case s == "":
			c.faults = append(c.faults, errors.New("scene \"\": must have a name"))
		case c.scenes[s]:
			c.faults = append(c.faults, fmt.Errorf("scene %q: named twice", s))
		case taken:
			c.faults = append(c.faults, fmt.Errorf("scenes %q and %q: their marks collide; rename one", other, s))
		}
		c.scenes[s], marks[mark] = true, s
	}
}

func (c *checker) checkRule(i int, r *Rule) {
	fault := func(field, format string, args ...any) {
		c.faults = append(c.faults, &RuleError{Index: i, Label: r.Label(), Field: field, Text: fmt.Sprintf(format, args...)})
	}
	c.checkIdentity(r, fault)
	checkBy(r, fault)
	checkNumbers(r, fault)
	checkBurst(r, fault)
	if r.On >= Events {
		fault("on", "must be send, verify or guess")
	}
	if r.Mode > Off {
		fault("mode", "must be enforce, shadow or off")
	}
}

type faultFunc func(field, format string, args ...any)

func (c *checker) checkIdentity(r *Rule, fault faultFunc) {
	if len(r.Name) < 1 || len(r.Name) > MaxName || !plain(r.Name) {
		fault("name", "must be 1 to %d of a-z, 0-9, - and _", MaxName)
	}
	if c.names[r.Label()] {
		fault("name", "must be unique")
	}
	c.names[r.Label()] = true
	if r.Scene != "" && !c.own[r.Scene] && !(r.OverAllApps() && c.scenes[r.Scene]) {
		fault("scene", "no such scene")
	}
}

// plain says that every byte of s may stand in a rule's name.
func plain(s string) bool {
	for _, b := range []byte(s) {
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '-' && b != '_' {
			return false
		}
	}
	return true
}

func checkBy(r *Rule, fault faultFunc) {
	var seen kindSet
	for _, k := range r.By {
		if k == 0 || k >= kinds {
			fault("by", "kind %d is unknown", k)
			continue
		}
		if seen.has(k) {
			fault("by", "%s is named twice", k)
		}
		seen |= setOf([]Kind{k})
	}
}

func checkNumbers(r *Rule, fault faultFunc) {
	switch {
	case r.Algorithm > Fixed:
		fault("algorithm", "must be log, counter, bucket or fixed")
	case r.Limit < 1 || r.Limit > MaxLimit:
		fault("limit", "%d: must be 1 to %d", r.Limit, MaxLimit)
	case r.Algorithm == Log && r.Limit > MaxLogLimit:
		fault("limit", "%d: must be at most %d for a log", r.Limit, MaxLogLimit)
	}
	switch {
	case r.Window < MinWindow || r.Window > MaxWindow:
		fault("window", "%s: must be %s to %s", r.Window, MinWindow, MaxWindow)
	case r.Window%time.Millisecond != 0:
		fault("window", "%s: must be whole milliseconds", r.Window)
	}
}

// checkBurst also bounds how long a bucket takes to empty: so long its key must live, and the time must fit into
// what a store can add up.
func checkBurst(r *Rule, fault faultFunc) {
	switch {
	case r.Burst != 0 && r.Algorithm != Bucket:
		fault("burst", "must be left out: only a bucket has one")
	case r.Burst < 0 || r.Burst > MaxLimit:
		fault("burst", "%d: must be 1 to %d", r.Burst, MaxLimit)
	case r.Limit < 1 || r.Window < MinWindow: // faults of their own
	case r.Burst > MostBurst(r.Limit, r.Window):
		fault("burst", "%d: must be at most %d, which leak within %s", r.Burst, MostBurst(r.Limit, r.Window), MaxWindow)
	}
}

// MostBurst returns the largest Burst of a Bucket; limit and window are within their bounds.
func MostBurst(limit int64, window time.Duration) int64 {
	return min(MaxLimit, min(limit, MaxLimit)*MaxWindow.Milliseconds()/window.Milliseconds())
}
