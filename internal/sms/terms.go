package sms

import (
	"slices"

	"smsd/internal/throttle"
)

// terms are a policy and what the service works out of it, once for each policy.
type terms struct {
	*Policy
	blocked *blockIndex
	// verifiesByScene says that some rule on verifies depends on the scene, which then must be the
	// verification's own: what the client says, or leaves out, is the client's to choose.
	verifiesByScene bool
	// anyScene is a scene of the policy, always the same one; "" if it has none.
	anyScene string
}

// terms returns those in force. They are the same until the policy is swapped.
func (s *Service) terms() *terms {
	p := s.policy()
	if t := s.current.Load(); t != nil && t.Policy == p {
		return t
	}
	t := newTerms(p)
	s.current.Store(t)
	return t
}

func newTerms(p *Policy) *terms {
	t := &terms{Policy: p, blocked: newBlockIndex(p.Blocks)}
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
