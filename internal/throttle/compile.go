package throttle

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// family is the rules that share a kind of key: one kinds set, enforced and in shadow. Everything that
// must be the same for all plans of such a key is worked out here, over all scenes and events.
type family struct {
	kinds        kindSet
	rules        []*Rule
	places       []int // which of the set's each rule is
	retain       [Events]time.Duration
	keep         [Events]Keep
	retainShadow [Events]time.Duration
	keepShadow   [Events]int
	ttl          time.Duration
	slots        map[identity]uint32
	marks        map[identity]uint16 // in shadow
}

// identity is what a rule's own count is known by, under every policy version: a rename is a new count.
type identity struct {
	on                 Event
	owner, name, scene string // scene is the event's, "" if the rule does not count scenes apart
}

func identify(r *Rule, scene string) identity {
	id := identity{on: r.On, owner: r.Scene, name: r.Name}
	if r.marked() {
		id.scene = scene
	}
	return id
}

// families groups the rules that are not Off, in the order of their first rules. all are the scenes of every set in
// force: what is counted over all apps has the same names in each of them.
func families(rules []Rule, scenes, all []string) []*family {
	var found []*family
	for i := range rules {
		r := &rules[i]
		if r.Mode == Off {
			continue
		}
		f := familyOf(&found, keyKinds(r.By))
		f.rules, f.places = append(f.rules, r), append(f.places, i)
	}
	for _, f := range found {
		f.measure()
		if f.kinds == 0 {
			f.name(all)
		} else {
			f.name(scenes)
		}
	}
	return found
}

func familyOf(all *[]*family, kinds kindSet) *family {
	for _, f := range *all {
		if f.kinds == kinds {
			return f
		}
	}
	f := &family{kinds: kinds}
	*all = append(*all, f)
	return f
}

// measure works out how much of a key's state rules can still read.
func (f *family) measure() {
	for _, r := range f.rules {
		f.ttl = max(f.ttl, r.matters())
		f.retainShadow[r.On] = max(f.retainShadow[r.On], r.Window)
		if r.Counting() == Log {
			f.keepShadow[r.On] = max(f.keepShadow[r.On], int(r.Limit))
			f.measureLog(r)
		}
	}
}

// measureLog counts r among those that read the enforced entries: a rule in shadow never makes them stay longer.
func (f *family) measureLog(r *Rule) {
	if r.Mode == Shadow {
		return
	}
	f.retain[r.On] = max(f.retain[r.On], r.Window)
	keep := &f.keep[r.On]
	if r.marked() {
		keep.PerMark = max(keep.PerMark, int(r.Limit))
	} else {
		keep.All = max(keep.All, int(r.Limit))
	}
}

// matters returns how long after an event r may still count it. A Bucket's level is at most Burst+Limit-1 events,
// and Limit leak in each Window.
func (r *Rule) matters() time.Duration {
	switch r.Counting() {
	case Counter:
		return 2 * r.Window
	case Bucket:
		ms := r.Window.Milliseconds()
		return r.Window + time.Duration((r.Size()*ms+r.Limit-1)/r.Limit)*time.Millisecond
	}
	return r.Window
}

// name gives every count of the family its slot and its mark in shadow, the same in both modes.
func (f *family) name(scenes []string) {
	ids := f.identities(scenes)
	f.slots, f.marks = assign(ids, slot), assign(ids, mark)
}

func (f *family) identities(scenes []string) []identity {
	var ids []identity
	for _, r := range f.rules {
		for _, scene := range scenes {
			if r.Scene == "" || r.Scene == scene {
				ids = append(ids, identify(r, scene))
			}
		}
	}
	slices.SortFunc(ids, func(a, b identity) int {
		return cmp.Or(cmp.Compare(a.on, b.on), cmp.Compare(a.owner, b.owner), cmp.Compare(a.name, b.name), cmp.Compare(a.scene, b.scene))
	})
	return slices.Compact(ids)
}

// assign hashes each identity to a value of its own: where two collide, the later in order is hashed
// again with a number beside it. So the value depends on the name alone, but for collisions.
func assign[V comparable](ids []identity, hash func(parts ...string) V) map[identity]V {
	values, taken := map[identity]V{}, map[V]bool{}
	for _, id := range ids {
		for try := 0; ; try++ {
			v := hash("rule", strconv.Itoa(try), id.on.String(), id.owner, id.name, id.scene)
			if !taken[v] {
				values[id], taken[v] = v, true
				break
			}
		}
	}
	return values
}

// plan compiles what a key of f is asked about event e of a scene; nil if nothing.
func (f *family) plan(e Event, scene string) *group {
	g := &group{kinds: f.kinds, tag: f.kinds.tagKind(), name: f.kinds.letters()}
	g.plan = &Plan{
		Mark: sceneMark(scene), TTL: f.ttl,
		Retain: f.retain, Keep: f.keep, RetainShadow: f.retainShadow, KeepShadow: f.keepShadow,
	}
	for i, r := range f.rules {
		if r.asks(e) && (r.Scene == "" || r.Scene == scene) {
			g.rules, g.places, g.labels = append(g.rules, r), append(g.places, f.places[i]), append(g.labels, r.Label())
			g.plan.Cells = append(g.plan.Cells, f.cell(r, e, scene))
		}
	}
	if g.rules == nil {
		return nil
	}
	g.address()
	return g
}

func (f *family) cell(r *Rule, e Event, scene string) Cell {
	id := identify(r, scene)
	c := Cell{
		Section: r.On, Algorithm: r.Counting(), Limit: r.Limit, Window: r.Window, Burst: r.Size(),
		Slot: f.slots[id], Own: f.marks[id], Shadow: r.Mode == Shadow, Charge: r.On == e,
	}
	if r.marked() {
		c.Mark = sceneMark(scene)
	}
	return c
}
