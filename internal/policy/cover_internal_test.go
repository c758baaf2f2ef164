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

func model(r throttle.Rule) counted {
	if r.Counting() == throttle.Log {
		return &log{limit: int(r.Limit), window: int(r.Window / time.Second)}
	}
	return &counter{limit: int(r.Limit), window: int(r.Window / time.Second)}
}

// A rule that is said never to bind refuses nothing that the other one lets pass, whatever happens.
func TestACoveredRuleNeverDecides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		strict, r := drawRule(t, "strict"), drawRule(t, "covered")
		if !covers(strict, r) {
			t.Skip()
		}
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

func drawRule(t *rapid.T, label string) throttle.Rule {
	return throttle.Rule{
		By:        rapid.SampledFrom([][]throttle.Kind{{throttle.Phone}, {throttle.Phone, throttle.Scene}}).Draw(t, label+" by"),
		Limit:     rapid.Int64Range(1, 12).Draw(t, label+" limit"),
		Window:    time.Duration(rapid.IntRange(1, 30).Draw(t, label+" window")) * time.Second,
		Algorithm: rapid.SampledFrom([]throttle.Algorithm{throttle.Log, throttle.Counter}).Draw(t, label+" algorithm"),
	}
}
