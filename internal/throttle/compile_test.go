package throttle

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func sound() Rule { return Rule{Name: "a", By: []Kind{Phone}, Limit: 5, Window: time.Hour} }

// Every fault names its rule. Rows: throttled#26 (windows below a second), redis_rate#110 and smart-ratelimit#75
// (limits of 0, below 0 and of any size).
func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Rule)
		field  string
	}{
		"no name":                     {func(r *Rule) { r.Name = "" }, "name"},
		"a long name":                 {func(r *Rule) { r.Name = strings.Repeat("a", 65) }, "name"},
		"a capital":                   {func(r *Rule) { r.Name = "A" }, "name"},
		"a slash":                     {func(r *Rule) { r.Name = "login/a" }, "name"},
		"a letter that is not ASCII":  {func(r *Rule) { r.Name = "é" }, "name"},
		"kind 0":                      {func(r *Rule) { r.By = []Kind{0} }, "by"},
		"a kind that is not there":    {func(r *Rule) { r.By = []Kind{kinds} }, "by"},
		"a kind twice":                {func(r *Rule) { r.By = []Kind{Phone, IP, Phone} }, "by"},
		"an unknown scene":            {func(r *Rule) { r.Scene = "nowhere" }, "scene"},
		"an unknown event":            {func(r *Rule) { r.On = Events }, "on"},
		"an unknown algorithm":        {func(r *Rule) { r.Algorithm = Fixed + 1 }, "algorithm"},
		"an unknown mode":             {func(r *Rule) { r.Mode = Off + 1 }, "mode"},
		"limit 0":                     {func(r *Rule) { r.Limit = 0 }, "limit"},
		"limit -1":                    {func(r *Rule) { r.Limit = -1 }, "limit"},
		"limit 1e18":                  {func(r *Rule) { r.Limit = 1e18 }, "limit"},
		"limit above MaxLimit":        {func(r *Rule) { r.Limit = MaxLimit + 1 }, "limit"},
		"a log above MaxLogLimit":     {func(r *Rule) { r.Limit, r.Algorithm = MaxLogLimit+1, Log }, "limit"},
		"window 0":                    {func(r *Rule) { r.Window = 0 }, "window"},
		"a negative window":           {func(r *Rule) { r.Window = -time.Hour }, "window"},
		"999 ms":                      {func(r *Rule) { r.Window = 999 * time.Millisecond }, "window"},
		"above MaxWindow":             {func(r *Rule) { r.Window = MaxWindow + time.Millisecond }, "window"},
		"half a millisecond":          {func(r *Rule) { r.Window = time.Hour + time.Millisecond/2 }, "window"},
		"a burst of a log":            {func(r *Rule) { r.Burst = 5 }, "burst"},
		"a burst of a fixed":          {func(r *Rule) { r.Burst, r.Algorithm = 5, Fixed }, "burst"},
		"a negative burst":            {func(r *Rule) { r.Burst, r.Algorithm = -1, Bucket }, "burst"},
		"a burst above MaxLimit":      {func(r *Rule) { r.Burst, r.Algorithm, r.Limit, r.Window = MaxLimit+1, Bucket, MaxLimit, MinWindow }, "burst"},
		"a burst that leaks too long": {func(r *Rule) { r.Burst, r.Algorithm, r.Limit, r.Window = 61, Bucket, 2, 24*time.Hour }, "burst"},
		"a burst of limit 1e18":       {func(r *Rule) { r.Burst, r.Algorithm, r.Limit = 1, Bucket, 1e18 }, "limit"},
		"a burst of window 0":         {func(r *Rule) { r.Burst, r.Algorithm, r.Window = 1, Bucket, 0 }, "window"},
		"an Off rule is checked too":  {func(r *Rule) { r.Mode, r.Limit = Off, 0 }, "limit"},
	} {
		r := sound()
		c.change(&r)
		_, err := Compile([]Rule{sound2("ok"), r}, []string{"login"})
		var fault *RuleError
		if !errors.As(err, &fault) || fault.Field != c.field || fault.Index != 1 || !strings.Contains(err.Error(), fmt.Sprintf("%q", r.Label())) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func sound2(name string) Rule {
	r := sound()
	r.Name = name
	return r
}

func TestCompileTakesTheBounds(t *testing.T) {
	t.Parallel()
	for _, r := range []Rule{
		{Name: strings.Repeat("a-_9", 16), Limit: 1, Window: MinWindow},
		{Name: "a", Limit: MaxLimit, Window: MaxWindow},
		{Name: "a", Limit: MaxLogLimit, Window: MaxWindow, Algorithm: Log},
		{Name: "a", Limit: 1, Window: MinWindow + time.Millisecond, Algorithm: Counter},
		{Name: "a", Limit: MaxLimit, Window: MaxWindow, Algorithm: Bucket, Burst: MaxLimit},
		{Name: "a", Limit: 2, Window: 24 * time.Hour, Algorithm: Bucket, Burst: 60},
		{Name: "a", Limit: 1, Window: MinWindow, Algorithm: Bucket, Burst: MaxLimit},
		{Name: "a", Limit: MaxLimit, Window: MaxWindow, Algorithm: Fixed},
	} {
		if _, err := Compile([]Rule{r}, []string{"login"}); err != nil {
			t.Error(err)
		}
	}
}

func TestCompileNamesEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	rules := []Rule{
		{Name: "one", Limit: 0, Window: time.Hour},
		{Name: "two", Limit: 1, Window: 0, By: []Kind{Phone, Phone}},
		{Name: "three", Scene: "nowhere", Limit: 1, Window: time.Hour},
	}
	_, err := Compile(rules, []string{"login", "login", ""})
	for _, want := range []string{`rule "one": limit`, `rule "two": window`, `rule "two": by`, `rule "nowhere/three": scene`, `scene "login": named twice`, `scene ""`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

func TestNamesAreUniqueWithinAScene(t *testing.T) {
	t.Parallel()
	global, login, register := sound(), sound(), sound()
	login.Scene, register.Scene = "login", "register"
	if _, err := Compile([]Rule{global, login, register}, []string{"login", "register"}); err != nil {
		t.Error(err)
	}
	for _, r := range []Rule{global, login} {
		if _, err := Compile([]Rule{r, r}, []string{"login", "register"}); err == nil {
			t.Errorf("%s twice", r.Label())
		}
	}
}

func TestTooManyRules(t *testing.T) {
	t.Parallel()
	var rules []Rule
	for i := range MaxRules + 1 {
		rules = append(rules, sound2(fmt.Sprintf("r%d", i)))
	}
	if _, err := Compile(rules[:MaxRules], []string{"login"}); err != nil {
		t.Error(err)
	}
	if _, err := Compile(rules, []string{"login"}); err == nil {
		t.Error("no error")
	}
}

func TestScenesWhoseMarksCollide(t *testing.T) {
	t.Parallel()
	byMark := map[uint16]string{}
	for i := 0; ; i++ {
		scene := fmt.Sprintf("scene-%d", i)
		m := sceneMark(scene)
		if m == 0 {
			t.Fatalf("%s has mark 0", scene)
		}
		if other := byMark[m]; other != "" {
			_, err := Compile(nil, []string{other, "login", scene})
			if err == nil || !strings.Contains(err.Error(), other) || !strings.Contains(err.Error(), scene) {
				t.Errorf("%s and %s: %v", other, scene, err)
			}
			return
		}
		byMark[m] = scene
	}
}

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

func TestCompileCopiesTheRules(t *testing.T) {
	t.Parallel()
	rules := []Rule{sound()}
	s := mustCompile(t, rules, "login")
	rules[0].Limit = 1
	if s.Rules()[0].Limit != 5 {
		t.Error("the rules can be changed from outside")
	}
}

// A bucket's key lives as long as Burst+Limit-1 events take to leak, a fixed window's as long as the window.
func TestHowLongAnEventMatters(t *testing.T) {
	t.Parallel()
	for want, r := range map[time.Duration]Rule{
		time.Minute:                         {Name: "a", Limit: 9, Window: time.Minute, Algorithm: Fixed},
		2 * time.Minute:                     {Name: "a", Limit: 9, Window: time.Minute, Algorithm: Counter},
		2*time.Minute + time.Second:         {Name: "a", Limit: 60, Window: time.Minute, Algorithm: Bucket, Burst: 61},
		time.Minute + 8572*time.Millisecond: {Name: "a", Limit: 7, Window: time.Minute, Algorithm: Bucket, Burst: 1},
		2 * MaxWindow:                       {Name: "a", Limit: 1, Window: MaxWindow, Algorithm: Bucket},
	} {
		p := mustCompile(t, []Rule{r}, "login").plans["login"][Send][0].plan
		if p.TTL != want || p.Retain != [Events]time.Duration{} {
			t.Errorf("%s: TTL %s, want %s; retain %v", r.Algorithm, p.TTL, want, p.Retain)
		}
	}
}

func TestSizeOfABucket(t *testing.T) {
	t.Parallel()
	for want, r := range map[int64]Rule{
		0: {Limit: 9, Algorithm: Fixed},
		9: {Limit: 9, Algorithm: Bucket},
		3: {Limit: 9, Algorithm: Bucket, Burst: 3},
	} {
		if got := r.Size(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
		if u := (Usage{Limit: r.Limit, Burst: r.Size(), Used: 2}); want > 0 && u.Remaining() != want-2 {
			t.Errorf("remaining %d of %d", u.Remaining(), want)
		}
	}
}
