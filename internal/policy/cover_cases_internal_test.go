package policy

import (
	"testing"
	"time"

	"smsd/internal/throttle"
)

// Which subjects are part of which, and which buckets are as strict as which.
func TestCoversByKind(t *testing.T) {
	t.Parallel()
	by := func(kinds ...throttle.Kind) throttle.Rule {
		return throttle.Rule{By: kinds, Limit: 5, Window: time.Minute}
	}
	ofScene := func(scene string, r throttle.Rule) throttle.Rule { r.Scene = scene; return r }
	bucket := func(on throttle.Event, limit, burst int64) throttle.Rule {
		r := by(throttle.Phone)
		r.On, r.Algorithm, r.Limit, r.Burst = on, throttle.Bucket, limit, burst
		return r
	}
	for name, c := range map[string]struct {
		strict, r throttle.Rule
		want      bool
	}{
		"a scene is not of one app":             {by(throttle.App), by(throttle.Scene), false},
		"a phone is of one app":                 {by(throttle.App), by(throttle.Phone), true},
		"a rule of one scene counts that scene": {by(throttle.Phone, throttle.Scene), ofScene("login", by(throttle.Phone)), true},
		"and no other":                          {ofScene("login", by(throttle.Phone)), by(throttle.Phone), false},
		"an address is of its network":          {by(throttle.IPNet), by(throttle.IP), true},
		"and not the other way round":           {by(throttle.IP), by(throttle.IPNet), false},
		"a smaller bucket":                      {bucket(throttle.Send, 5, 3), bucket(throttle.Send, 5, 4), true},
		"a larger bucket":                       {bucket(throttle.Send, 5, 4), bucket(throttle.Send, 5, 3), false},
		"a bucket that leaks less":              {bucket(throttle.Send, 4, 4), bucket(throttle.Send, 5, 4), true},
		"one that is filled by force":           {bucket(throttle.Guess, 4, 4), bucket(throttle.Guess, 5, 4), false},
	} {
		if got := covers(c.strict, c.r); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
