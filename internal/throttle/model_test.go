package throttle_test

import (
	"slices"
	"time"

	"smsd/internal/throttle"
)

// model is what the throttle must do, as a naive list of everything that happened.
type model struct {
	rules  []throttle.Rule
	events []happened
	now    time.Duration
}

// happened is an event that was allowed or charged by force.
type happened struct {
	at       time.Duration
	event    throttle.Event
	scene    string
	subjects map[throttle.Kind]string
	// out are the labels of rules that do not count it: given back, or shadow rules that would have refused.
	out map[string]bool
}

// counts says that rule counts h as one of what e belongs to.
func (h happened) counts(r throttle.Rule, e happened) bool {
	if h.event != r.On || h.out[r.Label()] || r.Scene != "" && h.scene != r.Scene {
		return false
	}
	return !slices.ContainsFunc(r.By, func(k throttle.Kind) bool { return h.id(k) != e.id(k) })
}

func (h happened) id(k throttle.Kind) string {
	if k == throttle.Scene {
		return h.scene
	}
	return h.subjects[k]
}

// applies says that rule r is asked about e.
func applies(r throttle.Rule, e happened) bool {
	on := r.On == e.event || r.On == throttle.Guess && e.event == throttle.Send
	missing := slices.ContainsFunc(r.By, func(k throttle.Kind) bool { return e.id(k) == "" })
	return on && !missing && (r.Scene == "" || r.Scene == e.scene) && r.Mode != throttle.Off
}

// used returns how many events r counts at an instant.
func (m *model) used(r throttle.Rule, e happened, at time.Duration) (n int64) {
	for _, h := range m.events {
		if h.counts(r, e) && h.at > at-r.Window {
			n++
		}
	}
	return n
}

// wait returns the least wait after which r would let e pass, trying every instant at which an event leaves
// the window.
func (m *model) wait(r throttle.Rule, e happened) time.Duration {
	waits := []time.Duration{0}
	for _, h := range m.events {
		if w := h.at + r.Window - m.now; w > 0 {
			waits = append(waits, w)
		}
	}
	slices.Sort(waits)
	for _, w := range waits {
		if m.used(r, e, m.now+w) < r.Limit {
			return w
		}
	}
	panic("unreachable: after the longest wait nothing counts")
}

// usages returns the state of every rule that applies to e, by label.
func (m *model) usages(e happened) map[string]throttle.Usage {
	all := map[string]throttle.Usage{}
	for _, r := range m.rules {
		if applies(r, e) {
			all[r.Label()] = throttle.Usage{
				Rule: r.Label(), By: r.By, Mode: r.Mode, Limit: r.Limit, Window: r.Window,
				Used: m.used(r, e, m.now), RetryAfter: m.wait(r, e),
			}
		}
	}
	return all
}

// retryAfter returns the longest wait among enforced rules that refuse e; 0: e is allowed.
func (m *model) retryAfter(e happened) (longest time.Duration) {
	for _, u := range m.usages(e) {
		if u.Mode == throttle.Enforce {
			longest = max(longest, u.RetryAfter)
		}
	}
	return longest
}

// record adds e, which was allowed or forced, and returns its place.
func (m *model) record(e happened, forced bool) int {
	e.at, e.out = m.now, map[string]bool{}
	for _, r := range m.rules {
		if r.Mode == throttle.Shadow && applies(r, e) && !forced && m.used(r, e, m.now) >= r.Limit {
			e.out[r.Label()] = true
		}
	}
	m.events = append(m.events, e)
	return len(m.events) - 1
}

// refund takes the event in a place out of the rules that count any of kinds; of all without kinds.
func (m *model) refund(place int, kinds []throttle.Kind) {
	for _, r := range m.rules {
		if len(kinds) == 0 || slices.ContainsFunc(r.By, func(k throttle.Kind) bool { return k != throttle.Scene && slices.Contains(kinds, k) }) {
			m.events[place].out[r.Label()] = true
		}
	}
}
