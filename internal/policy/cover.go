package policy

import (
	"slices"
	"time"

	"smsd/internal/throttle"
)

// covers reports whether strict refuses everything that r would, so that r never decides: it counts
// at least the same events for a subject that r's subject is part of, and lets no more of them pass.
func covers(strict, r throttle.Rule) bool {
	return strict.Mode == throttle.Enforce && counts(strict) && counts(r) && strict.On == r.On && wellFormed(strict) && wellFormed(r) &&
		(strict.Scene == "" || strict.Scene == r.Scene) && within(told(strict), told(r)) &&
		atLeastAsStrict(strict, r)
}

func wellFormed(r throttle.Rule) bool { return r.Limit > 0 && r.Window > 0 }

// implied are the kinds that follow from another one, so that who is one subject of this is one of those.
var implied = map[throttle.Kind][]throttle.Kind{
	throttle.Phone: {throttle.Prefix, throttle.Country},
	throttle.IP:    {throttle.IPNet},
}

// told returns the kinds that r tells apart, stated or implied: a rule of one scene counts that scene
// alone, and whoever is counted is counted for each app.
func told(r throttle.Rule) []throttle.Kind {
	var all []throttle.Kind
	for _, k := range r.By {
		all = append(append(all, k), implied[k]...)
		if k != throttle.Scene {
			all = append(all, throttle.App)
		}
	}
	if r.Scene != "" {
		all = append(all, throttle.Scene)
	}
	return all
}

func within(some, all []throttle.Kind) bool {
	return !slices.ContainsFunc(some, func(k throttle.Kind) bool { return !slices.Contains(all, k) })
}

// atLeastAsStrict reports whether it is certain that r refuses no event that strict lets pass.
func atLeastAsStrict(strict, r throttle.Rule) bool {
	switch {
	case twins(strict, r) && noLooser(strict, r):
		return true
	case strict.On == throttle.Guess:
		return strictOfForced(strict, r)
	case strict.Counting() == throttle.Bucket:
		return false // what is given back of it may have leaked already, and then one more passes
	case r.Counting() == throttle.Bucket:
		return passes(strict, 1) <= r.Size() && strict.Limit*r.Window.Milliseconds() <= r.Limit*strict.Window.Milliseconds()
	}
	return passes(strict, reads(r)) <= r.Limit
}

// twins reports whether two rules count the same events in the same way.
func twins(a, b throttle.Rule) bool {
	return a.Counting() == b.Counting() && a.Window == b.Window && within(told(b), told(a))
}

// noLooser compares twins. What is counted by force fills two buckets alike only if they leak alike.
func noLooser(strict, r throttle.Rule) bool {
	leaks := strict.Limit <= r.Limit && strict.On != throttle.Guess || strict.Limit == r.Limit
	if strict.Counting() == throttle.Bucket {
		return leaks && strict.Size() <= r.Size()
	}
	return strict.Limit <= r.Limit
}

// strictOfForced compares rules on guesses, which are counted whether they pass or not: only a log surely still has
// what makes r refuse. What is left of a burst in a bucket tells nothing of when it came.
func strictOfForced(strict, r throttle.Rule) bool {
	return strict.Counting() == throttle.Log && r.Counting() != throttle.Bucket &&
		strict.Limit <= r.Limit && strict.Window >= reads(r)
}

// reads returns in what time the events lie, Limit or more, for which r refuses another one: of a counter in its two buckets.
func reads(r throttle.Rule) time.Duration {
	if r.Counting() == throttle.Counter {
		return 2 * r.Window
	}
	return r.Window
}

// passes returns how many events r, which is no bucket, lets pass at most in any interval of the length d. That touches one
// window of a counter or a fixed more than fit into it.
func passes(r throttle.Rule, d time.Duration) int64 {
	windows := int64((d + r.Window - 1) / r.Window)
	if r.Counting() != throttle.Log {
		windows++
	}
	return windows * r.Limit
}
