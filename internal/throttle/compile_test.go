package throttle

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

func mustCompile(t testing.TB, rules []Rule, scenes ...string) *RuleSet {
	t.Helper()
	s, err := Compile(rules, scenes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A code already out can be checked whatever was sent or guessed (ezauth#196, identity-idp#2388, dearmep#162): a
// verify is asked of verify rules alone.
func TestEventsAndTheirRules(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, []Rule{
		{Name: "sends", By: []Kind{Phone}, Limit: 5, Window: time.Hour},
		{Name: "verifies", By: []Kind{Phone}, Limit: 5, Window: time.Hour, On: Verify},
		{Name: "guesses", By: []Kind{Phone}, Limit: 5, Window: time.Hour, On: Guess},
	}, "login")
	for event, want := range map[Event]map[string]bool{
		Send:   {"sends": true, "guesses": false},
		Verify: {"verifies": true},
		Guess:  {"guesses": true},
	} {
		got := map[string]bool{}
		g := s.plans["login"][event][0]
		for i, c := range g.plan.Cells {
			got[g.rules[i].Name] = c.Charge
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", event, got, want)
		}
	}
}

func TestAuto(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, []Rule{
		{Name: "a", Limit: MaxAutoLog, Window: time.Hour},
		{Name: "b", Limit: MaxAutoLog + 1, Window: time.Hour},
		{Name: "c", Limit: 1, Window: time.Hour, Algorithm: Counter},
		{Name: "d", Limit: MaxLogLimit, Window: time.Hour, Algorithm: Log},
	}, "login")
	p := s.plans["login"][Send][0].plan
	var got []Algorithm
	for _, c := range p.Cells {
		got = append(got, c.Algorithm)
	}
	if want := []Algorithm{Log, Counter, Counter, Log}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if p.TTL != 2*time.Hour {
		t.Errorf("TTL %s: a counter's state matters for two windows", p.TTL)
	}
}

func TestCompileCopiesTheRules(t *testing.T) {
	t.Parallel()
	rules := []Rule{sound()}
	s := mustCompile(t, rules, "login")
	rules[0].Limit = 1
	if s.Rules()[0].Limit != 5 {
		t.Error("the rules can be changed from outside")
	}
}
