package storetest

import (
	"strings"
	"time"

	"smsd/internal/throttle"
)

// A history's policy: families of rules, each of which has a key for every subject, as compiled ones do.
const (
	historyFamilies = 3
	historySubjects = 3
	historyRules    = 4 // at most, of one family
)

// historyRule is a rule of one family; its place there is its name.
type historyRule struct {
	on        throttle.Event
	marked    bool
	algorithm throttle.Algorithm
	limit     int64
	window    time.Duration
	burst     int64
	shadow    bool
}

func historyKey(family, subject int) throttle.Key {
	return throttle.Key{Tag: throttle.Tag(string(rune('A'+subject)) + "-_" + strings.Repeat("z", 19)), Name: string(rune('p' + family))}
}

func (h *countersHistory) setPolicy() {
	for f := range h.rules {
		h.rules[f] = h.rules[f][:0]
		for range 1 + h.IntN(historyRules) {
			r := historyRule{marked: h.IntN(2) == 0, shadow: h.IntN(3) == 0}
			h.retune(&r)
			switch h.narrow {
			case OneMode:
				r.shadow = shadowRule(len(h.rules[f]))
			case Enforced:
				r.shadow = false
			}
			h.rules[f] = append(h.rules[f], r)
		}
	}
}

// changeRule changes the numbers of one rule, or its mode alone; so it keeps its counts.
func (h *countersHistory) changeRule() {
	rules := h.rules[h.IntN(historyFamilies)]
	r := &rules[h.IntN(len(rules))]
	if h.narrow != OneMode && h.narrow != Enforced && h.IntN(2) == 0 {
		r.shadow = !r.shadow
		return
	}
	h.retune(r)
}

func (h *countersHistory) retune(r *historyRule) {
	r.on = throttle.Event(h.IntN(throttle.Events))
	r.algorithm = []throttle.Algorithm{throttle.Log, throttle.Counter, throttle.Bucket, throttle.Fixed}[h.IntN(4)]
	r.limit = []int64{1, 2, 3, 5, 8, 150}[h.IntN(6)]
	r.window = time.Second + h.millis(int64((windowAtMost-time.Second)/time.Millisecond))
	if h.IntN(2) == 0 {
		r.window = time.Duration(1+h.IntN(4)) * time.Second
	}
	if h.IntN(20) == 0 {
		r.algorithm, r.limit = []throttle.Algorithm{throttle.Counter, throttle.Bucket, throttle.Fixed}[h.IntN(3)], throttle.MaxLimit
	}
	if r.burst = 0; r.algorithm == throttle.Bucket {
		r.burst = []int64{1, 3, r.limit, r.limit, 2 * r.limit}[h.IntN(5)]
	}
	switch {
	case h.narrow == LogsOnly:
		r.algorithm, r.limit = throttle.Log, min(r.limit, throttle.MaxAutoLog)
	case h.narrow == Enforced && r.algorithm != throttle.Log:
		r.algorithm, r.burst = throttle.Counter, 0
	}
}

// groups returns what an event of a random scene and random subjects is asked, in random order.
func (h *countersHistory) groups(e throttle.Event) []throttle.Group {
	var all []throttle.Group
	scene, one := h.IntN(2), h.subject()
	for _, f := range h.Perm(historyFamilies) {
		p := h.plan(f, e, scene)
		if len(p.Cells) > 0 && h.IntN(8) > 0 {
			subject := h.subject()
			if h.narrow == OneTag {
				subject = one
			}
			all = append(all, throttle.Group{Key: historyKey(f, subject), Plan: p})
		}
	}
	return all
}

func (h *countersHistory) event() throttle.Event {
	if h.burst.left > 0 {
		return h.burst.event
	}
	return throttle.Event(h.IntN(throttle.Events))
}

func (h *countersHistory) subject() int {
	if h.burst.left > 0 {
		return 0
	}
	return h.IntN(historySubjects)
}

// plan compiles a family's rules as throttle does.
func (h *countersHistory) plan(f int, e throttle.Event, scene int) *throttle.Plan {
	p := &throttle.Plan{Mark: sceneMark(scene), TTL: historyTTL}
	for i, r := range h.rules[f] {
		h.measure(p, r)
		if r.on == e || r.on == throttle.Guess && e == throttle.Send {
			p.Cells = append(p.Cells, r.cell(i, e, scene))
		}
	}
	return p
}

func (h *countersHistory) measure(p *throttle.Plan, r historyRule) {
	p.RetainShadow[r.on] = max(p.RetainShadow[r.on], r.window)
	if r.algorithm != throttle.Log {
		return
	}
	p.KeepShadow[r.on] = max(p.KeepShadow[r.on], int(r.limit))
	if r.shadow {
		return
	}
	p.Retain[r.on] = max(p.Retain[r.on], r.window)
	keep := &p.Keep[r.on]
	if r.marked {
		keep.PerMark = max(keep.PerMark, int(r.limit))
	} else {
		keep.All = max(keep.All, int(r.limit))
	}
}

func (r historyRule) cell(name int, e throttle.Event, scene int) throttle.Cell {
	counted := uint32(0)
	if r.marked {
		counted = 1 + uint32(scene)
	}
	c := throttle.Cell{
		Section: r.on, Algorithm: r.algorithm, Limit: r.limit, Window: r.window, Burst: r.burst,
		Slot: 0xF0000000 | uint32(name)<<8 | counted, Charge: r.on == e,
		Own: 0x4000 | uint16(name)<<8 | uint16(counted), Shadow: r.shadow,
	}
	if r.marked {
		c.Mark = sceneMark(scene)
	}
	return c
}

func sceneMark(scene int) uint16 { return []uint16{0x0100, 0xFF7D}[scene] }
