package throttle

import (
	"context"
	"sync"
	"time"
)

// Reservation is quota taken but still returnable. Safe for concurrent use.
type Reservation struct {
	of    *Prepared
	taken Taken

	mu       sync.Mutex
	returned []bool // by group: given back, or tried to; nil: none
}

// Refund gives back what was taken: everything, or, with kinds, what is counted by any of them
// (with Phone: phone, phone and scene, phone and network, but not the address alone). Scene and App
// alone are no such kind: nothing is counted under a scene that is not counted under something else
// too, or under all. More than once equals once, also where a call failed: in doubt it stays charged. Of what was free
// there is nothing to give back.
func (r *Reservation) Refund(ctx context.Context, kinds ...Kind) error {
	if r.taken.Free {
		return nil
	}
	refund := r.claim(kinds)
	if len(refund.Groups) == 0 {
		return nil
	}
	return r.of.limiter.refund(ctx, refund)
}

// claim picks the groups that are to be given back and were not yet, and marks them.
func (r *Reservation) claim(kinds []Kind) Refund {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.returned == nil {
		r.returned = make([]bool, len(r.of.asked.groups))
	}
	refund := Refund{ID: r.of.asked.take.ID, At: r.taken.At}
	verdicts := r.taken.Verdicts
	for i, g := range r.of.asked.groups {
		own := verdicts[:len(g.rules)]
		verdicts = verdicts[len(g.rules):]
		if r.returned[i] || !g.countedBy(kinds) {
			continue
		}
		r.returned[i] = true
		refund.Groups = append(refund.Groups, r.of.asked.take.Groups[i])
		if r.taken.GroupAt != nil {
			refund.GroupAt = append(refund.GroupAt, r.taken.GroupAt[i])
		}
		for _, v := range own {
			refund.Uncharged = append(refund.Uncharged, v.Refused)
		}
	}
	return refund
}

// countedBy says that g counts one of kinds; without kinds, yes.
func (g *group) countedBy(kinds []Kind) bool {
	return len(kinds) == 0 || g.kinds&setOf(kinds) != 0
}

// ErrandDone reports whether the store has done the errand that the request carried, in the step of the charge.
func (r *Reservation) ErrandDone() bool { return r.taken.ErrandDone }

// At returns the store's clock at the charge, whole milliseconds, UTC; the zero Time if no rule applied, and so
// no store was asked.
func (r *Reservation) At() time.Time { return r.taken.At }

// Usages returns the state of each rule after the charge, shadow ones too.
func (r *Reservation) Usages() []Usage { return usages(r.of.asked.groups, r.taken.Verdicts) }

// Shadowed returns the rules in Shadow mode that would have refused; nil if none.
func (r *Reservation) Shadowed() []string { return shadowed(r.of.asked.groups, r.taken.Verdicts) }

// Wait returns how long until one more such event could pass every enforced rule; 0: now.
func (r *Reservation) Wait() time.Duration {
	var longest time.Duration
	eachVerdict(r.of.asked.groups, r.taken.Verdicts, func(g *group, rule int, v Verdict) {
		if !g.shadow(rule) {
			longest = max(longest, v.Wait)
		}
	})
	return longest
}
