package policy

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"smsd/internal/throttle"
)

// counted is the naive model of one rule for one subject, in seconds.
type counted interface {
	refuses(now int) bool
	charge(now int)
}

type log struct {
	limit, window int
	at            []int
}

func (l *log) refuses(now int) bool {
	used := 0
	for _, t := range l.at {
		if t > now-l.window {
			used++
		}
	}
	return used >= l.limit
}

func (l *log) charge(now int) { l.at = append(l.at, now) }

type counter struct {
	limit, window  int
	started        bool
	start          int
	current, older int
}

func (c *counter) roll(now int) {
	for c.started && now >= c.start+c.window {
		c.start, c.older, c.current = c.start+c.window, c.current, 0
		if now >= c.start+c.window && c.older == 0 {
			c.started = false
		}
	}
	if !c.started {
		*c = counter{limit: c.limit, window: c.window, started: true, start: now}
	}
}

func (c *counter) refuses(now int) bool {
	c.roll(now)
	left := c.start + c.window - now
	return c.older*left > (c.limit-1-c.current)*c.window
}

func (c *counter) charge(now int) { c.roll(now); c.current++ }

type fixed struct {
	limit, window int
	start, count  int
}

func (f *fixed) refuses(now int) bool { return now < f.start+f.window && f.count >= f.limit }

func (f *fixed) charge(now int) {
	if f.count == 0 || now >= f.start+f.window {
		f.start, f.count = now, 0
	}
	f.count++
}

// bucket has a level of window parts an event, of which limit leak in a second.
type bucket struct {
	limit, window, burst int
	level, at            int
}

func (b *bucket) leak(now int) {
	b.level, b.at = max(0, b.level-(now-b.at)*b.limit), now
}

func (b *bucket) refuses(now int) bool {
	b.leak(now)
	return b.level+b.window > b.burst*b.window
}

func (b *bucket) charge(now int) {
	b.leak(now)
	b.level = min(b.level+b.window, (b.burst+b.limit-1)*b.window)
}

func model(r throttle.Rule) counted {
	limit, window := int(r.Limit), int(r.Window/time.Second)
	switch r.Counting() {
	case throttle.Log:
		return &log{limit: limit, window: window}
	case throttle.Fixed:
		return &fixed{limit: limit, window: window}
	case throttle.Bucket:
		return &bucket{limit: limit, window: window, burst: int(r.Size())}
	}
	return &counter{limit: limit, window: window}
}

// A rule that is said never to bind refuses nothing that the other one lets pass, whatever happens.
func TestACoveredRuleNeverDecides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		strict, r := drawCovered(t, throttle.Send)
		a, b := model(strict), model(r)
		now := 0
		for range 200 {
			now += rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 3, 5, 8, 13}).Draw(t, "pause")
			if a.refuses(now) {
				continue
			}
			if len(r.By) > len(strict.By) && rapid.Bool().Draw(t, "another scene") {
				a.charge(now)
				continue
			}
			if b.refuses(now) {
				t.Fatalf("%+v lets pass at %d s what %+v refuses", strict, now, r)
			}
			a.charge(now)
			b.charge(now)
		}
	})
}

// The same of guesses, which are counted whether they pass or not: where the rule would refuse a send, the other one does.
func TestACoveredRuleOfGuessesNeverDecides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		strict, r := drawCovered(t, throttle.Guess)
		a, b := model(strict), model(r)
		now := 0
		for range 200 {
			now += rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 3, 5, 8, 13}).Draw(t, "pause")
			if strictRefuses := a.refuses(now); b.refuses(now) && !strictRefuses {
				t.Fatalf("%+v lets pass at %d s what %+v refuses", strict, now, r)
			}
			if rapid.Bool().Draw(t, "guess") {
				a.charge(now)
				if len(r.By) <= len(strict.By) || rapid.Bool().Draw(t, "of the scene") {
					b.charge(now)
				}
			}
		}
	})
}

// drawCovered draws two rules of which the first covers the other.
func drawCovered(t *rapid.T, on throttle.Event) (strict, r throttle.Rule) {
	for range 50 {
		strict, r = drawRule(t, "strict"), drawRule(t, "covered")
		if strict.On, r.On = on, on; covers(strict, r) {
			return strict, r
		}
	}
	t.Skip("none covers another")
	return strict, r
}

func drawRule(t *rapid.T, label string) throttle.Rule {
	r := throttle.Rule{
		By:        rapid.SampledFrom([][]throttle.Kind{{throttle.Phone}, {throttle.Phone, throttle.Scene}}).Draw(t, label+" by"),
		Limit:     rapid.Int64Range(1, 12).Draw(t, label+" limit"),
		Window:    time.Duration(rapid.IntRange(1, 30).Draw(t, label+" window")) * time.Second,
		Algorithm: rapid.SampledFrom([]throttle.Algorithm{throttle.Log, throttle.Counter, throttle.Bucket, throttle.Fixed}).Draw(t, label+" algorithm"),
	}
	if r.Algorithm == throttle.Bucket {
		r.Burst = rapid.Int64Range(0, 12).Draw(t, label+" burst")
	}
	return r
}
