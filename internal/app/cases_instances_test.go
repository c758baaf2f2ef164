package app

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"smsd/internal/config"
	"smsd/internal/testserver"
)

// topology is where the instances that share a count keep it.
type topology struct {
	name string
	// instances are how many there are, and stores what puts them all on the same stores.
	instances int
	stores    func(*testing.T) setting
	// exact says that a request is refused only if the limit is reached. Where the keys of a decision lie on several
	// servers, one may be refused for what another one gives back a moment later.
	exact bool
}

func topologies() []topology {
	return []topology{
		{"memory", 1, func(*testing.T) setting { return func(c *config.Config) {} }, true},
		{"redis", 3, func(t *testing.T) setting { return onRedis(testserver.Redis(t).URL()) }, true},
		{"cluster", 3, func(t *testing.T) setting { return onRedis(testserver.RedisCluster(t).URL()) }, false},
	}
}

// callers is how many ask at the same moment.
const callers = 200

// ruleSets are limits on a number, and how many of its sends they let pass: the least of those that are enforced.
// The random one is another set in every run.
func ruleSets() map[string]int {
	sets := map[string]int{
		"{name: log, by: [phone], limit: 37, window: 1h}":                                                              37,
		"{name: counter, by: [phone], limit: 70, window: 1h, algorithm: counter}":                                      70,
		"{name: total, by: [], limit: 53, window: 1h}, {name: trial, by: [phone], limit: 3, window: 1h, mode: shadow}": 53,
		"{name: range, by: [prefix], limit: 41, window: 1h}, {name: land, by: [country, app], limit: 150, window: 1m}": 41,
	}
	sets["{name: bucket, by: [phone], limit: 99, window: 200h, burst: 33, algorithm: bucket}"] = 33 // one more every two hours
	sets["{name: fixed, by: [phone], limit: 29, window: 1h, algorithm: fixed}"] = 29
	set, least := randomRules()
	sets[set] = least
	return sets
}

// randomRules draws limits that all callers run into, since they have these subjects in common.
func randomRules() (limits string, least int) {
	least = callers
	for i := range 2 + rand.IntN(6) {
		by := []string{"phone", "phone, scene", "app", "prefix", "country", "scene", ""}[rand.IntN(7)]
		limit, algorithm := 1+rand.IntN(callers), []string{"log", "counter", "fixed"}[rand.IntN(3)]
		limits += fmt.Sprintf(", {name: rule-%d, by: [%s], limit: %d, window: %dh, algorithm: %s}", i, by, limit, 1+i, algorithm)
		least = min(least, limit)
	}
	return strings.TrimPrefix(limits, ", "), least
}

// boulder#7886, #7780, #8674: 200 callers ask for the same number at the same moment, over all instances. Exactly
// as many are admitted as the strictest rule lets pass: refusal wins; and each that was has its message.
func TestCasesParallelCallersOverInstances(t *testing.T) {
	t.Parallel()
	for _, where := range topologies() {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			stores := where.stores(t)
			for limits, least := range ruleSets() {
				where.admits(t, stores, limits, least)
			}
		})
	}
}

func (w topology) admits(t *testing.T, stores setting, limits string, least int) {
	t.Helper()
	prefix := fmt.Sprintf("smsd%d", rand.Uint64()) // counters of this set of rules alone
	var all []*service
	for range w.instances {
		all = append(all, start(t, rules(limits), stores, func(c *config.Config) { c.Redis.Prefix = prefix }))
	}
	got := together(callers, func(i int) answer {
		return all[i%len(all)].forwarded(fmt.Sprintf("198.51.100.%d", i)).send(alice)
	})
	passed, unsure := got["200"], got["503 unavailable"]
	if passed > least || w.exact && passed != least || passed+unsure+got["429 rate_limited"] != callers || w.exact && unsure > 0 {
		t.Errorf("answers %v, want %d of 200 (exactly: %t) by %s", got, least, w.exact, limits)
	}
	t.Logf("%d of %d passed at once: %s", passed, least, limits)
	w.settles(t, all, passed, least, unsure > 0)
}

// settles makes further calls, one after the other: they get what is left of the limit, and nothing more. A cluster whose
// nodes lose sight of each other on a busy machine answers for a while that nobody can tell, and what was so
// answered may have been counted.
func (w topology) settles(t *testing.T, all []*service, passed, least int, unsure bool) {
	t.Helper()
	next := 0
	send := func() answer {
		next++
		return all[next%len(all)].forwarded(fmt.Sprintf("198.51.101.%d", next%250)).send(alice)
	}
	until(t, "the limit is reached", func() bool {
		a := send()
		if a.status == 200 {
			passed++
		}
		unsure = unsure || a.status == 503
		return a.status == 429 && (passed >= least || unsure)
	})
	messages := 0
	for _, s := range all {
		messages += len(s.inbox(""))
	}
	if passed > least || messages != passed {
		t.Errorf("%d passed in all, with %d messages, want %d", passed, messages, least)
	}
}
