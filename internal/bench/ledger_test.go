package bench

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"smsd/internal/policy"
	"smsd/internal/secret"
	"smsd/internal/store/memstore"
	"smsd/internal/store/redisstore"
	"smsd/internal/store/storetest"
	"smsd/internal/throttle"
)

// ledger is a limiter over a store whose clock stands until it is moved: a day with it takes no time.
type ledger struct {
	t testing.TB
	*throttle.Limiter
	clock *storetest.ManualClock
	rules *throttle.RuleSet
}

// opener opens a store with a clock of ours.
type opener func(now func() time.Time) throttle.Store

func newLedger(t testing.TB, open opener, rules *throttle.RuleSet) *ledger {
	t.Helper()
	clock := storetest.NewManualClock()
	limiter, err := throttle.New(throttle.Options{Store: open(clock.Now), IndexSecret: make([]byte, throttle.MinSecret)})
	if err != nil {
		t.Fatal(err)
	}
	return &ledger{t, limiter, clock, rules}
}

// inProcess opens a memstore.
func inProcess(now func() time.Time) throttle.Store {
	return memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(now)})
}

// inRedis opens a redisstore with the prefix that keys have by default.
func inRedis(t testing.TB, url string) opener {
	return func(now func() time.Time) throttle.Store { return client(t, url, now).Counters() }
}

func client(t testing.TB, url string, now func() time.Time) *redisstore.Client {
	t.Helper()
	c, err := redisstore.Open(context.Background(), redisstore.Options{URL: secret.New(url), Budget: patience, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// ask lets e happen if it may, and returns 0, or else how long it must wait.
func (l *ledger) ask(e throttle.Event, scene string, who []throttle.Subject) time.Duration {
	l.t.Helper()
	_, err := l.Reserve(context.Background(), throttle.Request{Rules: l.rules, Event: e, Scene: scene, Subjects: who})
	var denied *throttle.Denied
	if errors.As(err, &denied) {
		return denied.RetryAfter
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return 0
}

// insist lets e happen as soon as it may, if it need not wait for longer than patient; else it says false.
func (l *ledger) insist(e throttle.Event, scene string, who []throttle.Subject, patient time.Duration) bool {
	l.t.Helper()
	for wait := l.ask(e, scene, who); wait > 0; wait = l.ask(e, scene, who) {
		if wait > patient {
			return false
		}
		l.clock.Advance(wait)
	}
	return true
}

// guess counts a wrong code.
func (l *ledger) guess(scene string, who []throttle.Subject) {
	l.t.Helper()
	if err := l.Charge(context.Background(), throttle.Request{Rules: l.rules, Event: throttle.Guess, Scene: scene, Subjects: who}); err != nil {
		l.t.Fatal(err)
	}
}

// person is the n-th phone, asking from the m-th address.
func person(n, m int) []throttle.Subject {
	number := phone(n)
	host := fmt.Sprintf("20.%d.%d.7", m>>8&255, m&255)
	return []throttle.Subject{
		{Kind: throttle.App, ID: "default"}, {Kind: throttle.Phone, ID: number}, {Kind: throttle.Country, ID: "CN"},
		{Kind: throttle.Prefix, ID: number[:len(number)-4]}, {Kind: throttle.IP, ID: host}, {Kind: throttle.IPNet, ID: host + "/24"},
	}
}

// rulesOf compiles the rules of a policy's text.
func rulesOf(t testing.TB, text string) *throttle.RuleSet {
	t.Helper()
	p, _, err := policy.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p.Rules
}
