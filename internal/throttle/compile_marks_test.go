package throttle

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
)

// The rules of the built-in policy for a phone and its scenes share one key.
func TestPhoneAndScenesAreOneKey(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, []Rule{
		{Name: "phone-hour", By: []Kind{Phone}, Limit: 5, Window: time.Hour},
		{Name: "guesses", By: []Kind{Phone, Scene}, Limit: 10, Window: time.Hour, On: Guess},
		{Name: "cooldown", By: []Kind{Phone, Scene}, Scene: "login", Limit: 1, Window: time.Minute},
		{Name: "day", By: []Kind{Scene, Phone}, Scene: "login", Limit: 8, Window: 24 * time.Hour},
		{Name: "hour", By: []Kind{Phone}, Scene: "register", Limit: 6, Window: 2 * time.Hour},
		{Name: "off", By: []Kind{Phone}, Limit: 1, Window: 9 * time.Hour, Mode: Off},
		{Name: "app", By: []Kind{Phone, App}, Limit: 100, Window: time.Hour},
	}, "login", "register")
	groups := s.plans["login"][Send]
	if len(groups) != 1 {
		t.Fatalf("%d groups", len(groups))
	}
	p := groups[0].plan
	login := sceneMark("login")
	want := []Cell{
		{Section: Send, Algorithm: Log, Limit: 5, Window: time.Hour, Charge: true},
		{Section: Guess, Algorithm: Log, Limit: 10, Window: time.Hour, Mark: login},
		{Section: Send, Algorithm: Log, Limit: 1, Window: time.Minute, Mark: login, Charge: true},
		{Section: Send, Algorithm: Log, Limit: 8, Window: 24 * time.Hour, Mark: login, Charge: true},
		{Section: Send, Algorithm: Counter, Limit: 100, Window: time.Hour, Charge: true},
	}
	if got := withoutSlots(p.Cells); !reflect.DeepEqual(got, want) {
		t.Errorf("cells\n got %+v\nwant %+v", got, want)
	}
	if p.Mark != login || p.TTL != 24*time.Hour {
		t.Errorf("%+v", p)
	}
	if want := ([Events]time.Duration{Send: 24 * time.Hour, Guess: time.Hour}); p.Retain != want {
		t.Errorf("retain %v, want %v", p.Retain, want)
	}
	// Over all scenes: register's rule of six counts one scene's sends only.
	if want := ([Events]Keep{Send: {All: 5, PerMark: 8}, Guess: {PerMark: 10}}); p.Keep != want {
		t.Errorf("keep %v, want %v", p.Keep, want)
	}
}

func withoutSlots(cells []Cell) []Cell {
	cells = slices.Clone(cells)
	for i := range cells {
		cells[i].Slot, cells[i].Own = 0, 0
	}
	return cells
}

// Shadow rules share the key, change nothing of what enforced ones keep, and have, each of them and for each scene they
// tell apart, a mark of their own, which is the same when they are enforced.
func TestShadowPlan(t *testing.T) {
	t.Parallel()
	rules := []Rule{
		{Name: "a", By: []Kind{Phone}, Limit: 5, Window: time.Hour},
		{Name: "b", By: []Kind{Phone}, Limit: 3, Window: time.Hour, Mode: Shadow},
		{Name: "c", By: []Kind{Phone}, Limit: 4, Window: 2 * time.Hour, Mode: Shadow},
		{Name: "d", By: []Kind{Phone, Scene}, Limit: 2, Window: time.Hour, Mode: Shadow},
		{Name: "d", By: []Kind{Phone}, Scene: "login", Limit: 100, Window: time.Hour, Mode: Shadow},
	}
	s := mustCompile(t, rules, "login", "register")
	login, register := s.plans["login"][Send], s.plans["register"][Send]
	if len(login) != 1 || login[0].name != "p" || !login[0].enforced || login[0].shadow(0) || !login[0].shadow(1) {
		t.Fatalf("%+v", login)
	}
	l, r := login[0].plan, register[0].plan
	if l.Cells[1].Own != r.Cells[1].Own || l.Cells[3].Own == r.Cells[3].Own {
		t.Error("b counts over scenes, d for each")
	}
	seen := map[uint16]bool{}
	for _, c := range l.Cells {
		if c.Own == 0 || seen[c.Own] {
			t.Errorf("mark %d", c.Own)
		}
		seen[c.Own] = true
	}
	if l.KeepShadow[Send] != 5 || l.RetainShadow[Send] != 2*time.Hour || l.TTL != 2*time.Hour {
		t.Errorf("%+v", l)
	}
	if l.Retain[Send] != time.Hour || l.Keep[Send] != (Keep{All: 5}) {
		t.Errorf("a shadow rule changed what enforced ones keep: %+v", l)
	}
	for i := range rules {
		rules[i].Mode ^= Shadow // Enforce is 0
	}
	for i, c := range mustCompile(t, rules, "login").plans["login"][Send][0].plan.Cells {
		if was := l.Cells[i]; c.Own != was.Own || c.Slot != was.Slot || c.Shadow == was.Shadow {
			t.Errorf("cell %d in its other mode: %+v, was %+v", i, c, was)
		}
	}
}

// Slots and marks mean the same in every policy version, whatever the order and the numbers.
func TestSlotsAreStable(t *testing.T) {
	t.Parallel()
	rules := []Rule{
		{Name: "a", By: []Kind{Phone}, Limit: 500, Window: time.Hour, Mode: Shadow},
		{Name: "b", By: []Kind{Phone, Scene}, Limit: 500, Window: time.Hour, Mode: Shadow},
	}
	before := mustCompile(t, rules, "login", "register").plans["login"][Send][0].plan.Cells
	later := []Rule{sound2("new"), rules[1], rules[0]}
	later[0].Mode = Shadow
	later[1].Limit, later[2].Window, later[2].Algorithm, later[2].Limit = 700, time.Minute, Log, 7
	after := mustCompile(t, later, "another", "login").plans["login"][Send][0].plan.Cells
	if before[0].Slot != after[2].Slot || before[1].Slot != after[1].Slot || before[0].Own != after[2].Own || before[1].Own != after[1].Own {
		t.Errorf("\n%+v\n%+v", before, after)
	}
	if before[0].Slot == before[1].Slot {
		t.Error("one slot for two rules")
	}
}

// Where hashes collide, the later takes another: no two counts share a value.
func TestCollisionsAreAvoided(t *testing.T) {
	t.Parallel()
	var ids []identity
	for i := range 200 {
		ids = append(ids, identity{name: fmt.Sprint(i)})
	}
	tiny := func(parts ...string) uint8 { return uint8(mark(parts...)) }
	values := assign(ids, tiny)
	seen := map[uint8]bool{}
	for _, v := range values {
		seen[v] = true
	}
	if len(seen) != len(ids) || !reflect.DeepEqual(values, assign(ids, tiny)) {
		t.Errorf("%d values for %d names", len(seen), len(ids))
	}
}
