package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"smsd/internal/throttle"
)

// Two sets of rules beside each other, each for an app of its own, share the keys over all apps. These tests compare what
// they read there with what one set says that is asked about the events of both.
var besideTests = []countersTest{
	{"sets beside each other share what is over all apps", besideEachOther},
	{"a set that comes and goes cuts nothing of the others'", besideAfterReload},
}

// The scenes of the two sets; one is in both.
var (
	besideA = []string{"login", "pay"}
	besideB = []string{"login", "vote"}
)

// sharedRules are over all apps, of every algorithm and both modes. Some are of scenes that one set does not know.
func sharedRules() []throttle.Rule {
	scene := []throttle.Kind{throttle.Scene}
	return []throttle.Rule{
		{Name: "long", Limit: 40, Window: time.Hour},
		{Name: "scenes", By: scene, Limit: 15, Window: 10 * time.Minute},
		{Name: "pays", Scene: "pay", Limit: 20, Window: 2 * time.Hour},
		{Name: "votes", Scene: "vote", Limit: 90, Window: 24 * time.Hour, Algorithm: throttle.Log}, // reads furthest back
		{Name: "counter", By: scene, Limit: 100, Window: time.Hour},
		{Name: "bucket", Limit: 30, Window: time.Hour, Algorithm: throttle.Bucket, Burst: 50},
		{Name: "fixed", Limit: 60, Window: 20 * time.Minute, Algorithm: throttle.Fixed},
		{Name: "shadow", By: scene, Limit: 8, Window: 30 * time.Minute, Mode: throttle.Shadow},
		{Name: "shadow-counter", Limit: 70, Window: time.Minute, Mode: throttle.Shadow},
	}
}

// ownRules are an app's, and never refuse.
func ownRules(window time.Duration) []throttle.Rule {
	return []throttle.Rule{
		{Name: "own", By: []throttle.Kind{throttle.App}, Limit: 1000, Window: window, Algorithm: throttle.Log},
		{Name: "own-scene", By: []throttle.Kind{throttle.App, throttle.Scene}, Limit: 1000, Window: window, Algorithm: throttle.Log},
	}
}

func (b *countersBench) compile(rules []throttle.Rule, scenes []string) *throttle.RuleSet {
	b.Helper()
	set, err := throttle.CompileBeside(rules, scenes, slices.Concat(besideA, besideB))
	if err != nil {
		b.Fatal(err)
	}
	return set
}

// limiter asks the store under keys of its own.
func (b *countersBench) limiter(secret string) *throttle.Limiter {
	b.Helper()
	l, err := throttle.New(throttle.Options{Store: b.store, IndexSecret: []byte(strings.Repeat(secret, throttle.MinSecret))})
	if err != nil {
		b.Fatal(err)
	}
	return l
}

func besideRequest(rules *throttle.RuleSet, app, scene string) throttle.Request {
	return throttle.Request{Rules: rules, Scene: scene, Subjects: []throttle.Subject{{Kind: throttle.App, ID: app}}}
}

func besideEachOther(b *countersBench) {
	apart, whole := b.limiter("a"), b.limiter("w")
	sets := []*throttle.RuleSet{
		b.compile(append(sharedRules(), ownRules(time.Second)...), besideA),
		b.compile(append(ownRules(30*24*time.Hour), sharedRules()...), besideB),
	}
	one := b.compile(sharedRules(), []string{"login", "pay", "vote"})
	random := rand.New(rand.NewPCG(7, 7))
	for i := range 150 {
		app := random.IntN(2)
		scene := [][]string{besideA, besideB}[app][random.IntN(2)]
		b.sameShared(i, apart, whole, besideRequest(sets[app], fmt.Sprint(app), scene), besideRequest(one, "0", scene))
		b.clock.Advance(time.Duration(random.IntN(200)) * time.Second)
	}
}

// A set that knows a scene and rules of its own is there for a while, and then no more.
func besideAfterReload(b *countersBench) {
	apart, whole := b.limiter("a"), b.limiter("w")
	one := b.compile(sharedRules(), []string{"login", "pay", "vote"})
	for i := range 60 {
		set := one
		if 20 <= i && i < 40 {
			set = b.compile(append(sharedRules(), ownRules(time.Second)...), besideA)
		}
		b.sameShared(i, apart, whole, besideRequest(set, "a", "pay"), besideRequest(one, "a", "pay"))
		b.clock.Advance(3 * time.Minute)
	}
}

// sameShared asks both, and compares what they decide and what they then say of the rules over all apps.
func (b *countersBench) sameShared(i int, apart, whole *throttle.Limiter, q, of throttle.Request) {
	b.Helper()
	_, err := apart.Reserve(b.Context(), q)
	_, want := whole.Reserve(b.Context(), of)
	if fmt.Sprint(err) != fmt.Sprint(want) {
		b.Fatalf("event %d, scene %s: %v, want %v", i, q.Scene, err, want)
	}
	if got, want := b.shared(apart, q), b.shared(whole, of); got != want {
		b.Fatalf("event %d, scene %s:\n%s\nwant\n%s", i, q.Scene, got, want)
	}
}

// shared is what the store says of the rules over all apps, in the order of their names.
func (b *countersBench) shared(l *throttle.Limiter, q throttle.Request) string {
	b.Helper()
	usages, err := l.Inspect(b.Context(), q)
	if err != nil {
		b.Fatal(err)
	}
	usages = slices.DeleteFunc(usages, func(u throttle.Usage) bool { return strings.HasPrefix(u.Rule, "own") })
	slices.SortFunc(usages, func(a, b throttle.Usage) int { return cmp.Compare(a.Rule, b.Rule) })
	return fmt.Sprintf("%+v", usages)
}
