package throttle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Request is one event and everyone it is counted under.
type Request struct {
	// Rules are one policy version's; the whole decision is made by them.
	Rules *RuleSet
	Event Event
	// Scene must be one that Rules were compiled for.
	Scene string
	// Subjects, at most one of each kind. A rule whose subject is missing here is skipped. App is part of
	// every subject's identity; without it the app is "". An IP needs its IPNet beside it. Scene is not
	// taken from here.
	Subjects []Subject
	// Block is how long an address or a device is refused in this process once rules that count it, and nothing of
	// the number beside it, have refused five sends of it within ten seconds; 0: not at all; at most MaxBlock. Only a Send
	// is counted and refused so.
	Block time.Duration
}

// asked is a request ready for the store: groups and, beside each, what it was compiled from.
type asked struct {
	take   Take
	groups []*group
	rules  *RuleSet
	event  Event
	scene  string
	asker  asker
	block  time.Duration // 0: nobody is blocked
	whole  entryID       // what the deny cache calls the request, if there are both groups and a cache
	given  entryID       // what it calls it by the name that the caller gave; zero: none was given
}

// named says that the caller gave a name.
func (a *asked) named() bool { return a.given != entryID{} }

// blockLength is how long r may be blocked; 0: not at all.
func (r *Request) blockLength() time.Duration {
	if r.Event != Send {
		return 0
	}
	return min(r.Block, MaxBlock)
}

// ask names the keys of r, and finds the groups that they belong to.
func (l *Limiter) ask(r Request) (asked, error) {
	if r.Rules == nil {
		return asked{}, errors.New("throttle: a request without rules")
	}
	plans, known := r.Rules.plans[r.Scene]
	if !known || r.Event >= Events {
		return asked{}, fmt.Errorf("throttle: no rules were compiled for event %d of scene %q", r.Event, r.Scene)
	}
	groups := plans[r.Event]
	k := newKeyer(l.hasher, r.Subjects)
	a := asked{
		take:   Take{ID: rand.Uint32(), Groups: make([]Group, 0, len(groups))},
		groups: groups, // as a rule the request has the subjects of all, and nothing is copied
		rules:  r.Rules, event: r.Event, scene: r.Scene, asker: k.asker(), block: r.blockLength(),
	}
	for _, g := range groups {
		key, has, err := k.key(g)
		if err != nil {
			return asked{}, err
		}
		if has {
			a.take.Groups = append(a.take.Groups, Group{Key: key, Plan: g.plan})
		} else {
			a.groups = without(a.groups, g)
		}
	}
	a.whole = l.deny.wholeID(&a)
	return a, nil
}

// without returns groups but for g.
func without(groups []*group, g *group) []*group {
	return slices.DeleteFunc(slices.Clone(groups), func(other *group) bool { return other == g })
}
