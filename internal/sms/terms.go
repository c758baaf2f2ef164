package sms

import (
	"slices"

	"smsd/internal/throttle"
)

// ground is a policy and the terms of every app under it, worked out once for each policy.
type ground struct {
	policy *Policy
	apps   map[string]*terms // of the apps with terms of their own
	others *terms            // of all other apps
}

// terms are what a policy says of one app, and what the service works out of it.
type terms struct {
	*Policy
	blocked blockIndexes
	// verifiesByScene says that some rule on verifies depends on the scene, which then must be the
	// verification's own: what the client says, or leaves out, is the client's to choose.
	verifiesByScene bool
	// anyScene is a scene of the policy, always the same one; "" if it has none.
	anyScene string
}

// terms returns those in force for app. They are the same until the policy is swapped.
func (s *Service) terms(app string) *terms {
	p := s.policy()
	g := s.current.Load()
	if g == nil || g.policy != p {
		g = newGround(p)
		s.current.Store(g)
	}
	return g.of(app)
}

func newGround(p *Policy) *ground {
	everyone := newBlockIndex(p.Blocks)
	g := &ground{policy: p, apps: make(map[string]*terms, len(p.Apps)), others: newTerms(p, everyone)}
	for app, own := range p.Apps {
		g.apps[app] = newTerms(own, everyone, newBlockIndex(own.Blocks))
	}
	return g
}

func (g *ground) of(app string) *terms {
	if own := g.apps[app]; own != nil {
		return own
	}
	return g.others
}

func newTerms(p *Policy, blocked ...*blockIndex) *terms {
	t := &terms{Policy: p, blocked: blocked}
	t.verifiesByScene = slices.ContainsFunc(p.Rules.Rules(), func(r throttle.Rule) bool {
		return r.On == throttle.Verify && (r.Scene != "" || has(r.By, throttle.Scene))
	})
	for name := range p.Scenes {
		if t.anyScene == "" || name < t.anyScene {
			t.anyScene = name
		}
	}
	return t
}

func has(kinds []throttle.Kind, k throttle.Kind) bool { return slices.Contains(kinds, k) }
