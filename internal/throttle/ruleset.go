package throttle

import (
	"crypto/rand"
	"slices"
	"sync/atomic"
)

// RuleSet is the rules of one policy version, for all apps or for some, compiled into plans: immutable, safe for
// concurrent use. It is used with one [Limiter].
type RuleSet struct {
	// id tells policy versions apart, also from those that are gone, whose addresses may come again.
	id    string
	rules []Rule
	// labels are the rules'.
	labels []string
	// plans by scene: for each event the groups that are asked.
	plans map[string]*[Events][]*group
}

// group is one key's part in a decision: how to name the key, its plan, and which rule each cell is.
type group struct {
	kinds kindSet
	tag   Kind   // whose subject tags the key; 0: the one counter over all
	need  []Kind // the kinds that the request must have
	rest  []Kind // the kinds beyond the tag's, hashed into the name
	name  string // letters, "+" if rest follows; complete if there is no rest
	plan  *Plan
	rules []*Rule // in the order of the plan's cells
	// labels are the rules'.
	labels []string
	// places say which of the set's each rule is.
	places []int
	// enforced says that some rule is not in Shadow mode.
	enforced bool

	counters atomic.Pointer[cellCounters]
}

// address works out how the group's keys are named, and whether they matter to an answer.
func (g *group) address() {
	g.enforced = slices.ContainsFunc(g.plan.Cells, func(c Cell) bool { return !c.Shadow })
	g.need = g.kinds.without(App).list()
	g.rest = g.kinds.without(g.tag, Scene).list()
	if g.rest != nil {
		g.name += "+"
	}
}

// shadow says that the rule in a place is in [Shadow] mode.
func (g *group) shadow(rule int) bool { return g.plan.Cells[rule].Shadow }

// Compile checks rules, for events of the named scenes, and compiles them. It returns every fault it
// finds, joined, each a [*RuleError] or about the scenes: two scenes whose marks collide are a fault.
// The rules are copied.
func Compile(rules []Rule, scenes []string) (*RuleSet, error) {
	return CompileBeside(rules, scenes, nil)
}

// CompileBeside is Compile for one of several sets that are in force at once, each for the events of other apps.
// others are the scenes of the other sets, some of which may be this one's too.
//
// A key names its app, so no set ever sees what another one's rules have counted, but for the keys of rules with
// [Rule.OverAllApps]. Those keys are shared: every set must be given the same such rules, those of others' scenes too, and the
// same scenes in all. Then all sets read, name and trim what such a key holds alike.
func CompileBeside(rules []Rule, scenes, others []string) (*RuleSet, error) {
	all := union(scenes, others)
	if err := check(rules, scenes, all); err != nil {
		return nil, err
	}
	s := &RuleSet{id: rand.Text(), rules: slices.Clone(rules), plans: map[string]*[Events][]*group{}}
	for i := range s.rules {
		s.labels = append(s.labels, s.rules[i].Label())
	}
	families := families(s.rules, scenes, all)
	for _, scene := range scenes {
		s.plans[scene] = planScene(families, scene)
	}
	return s, nil
}

// union returns scenes, and then those of others that are not among them.
func union(scenes, others []string) []string {
	all := slices.Clone(scenes)
	there := map[string]bool{}
	for _, s := range scenes {
		there[s] = true
	}
	for _, s := range others {
		if !there[s] {
			all, there[s] = append(all, s), true
		}
	}
	return all
}

func planScene(all []*family, scene string) *[Events][]*group {
	var byEvent [Events][]*group
	for e := range byEvent {
		for _, f := range all {
			if g := f.plan(Event(e), scene); g != nil {
				byEvent[e] = append(byEvent[e], g)
			}
		}
	}
	return &byEvent
}

// Rules returns the rules as they were given; not to be changed.
func (s *RuleSet) Rules() []Rule { return s.rules }
