package throttle

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// besideScenes are as many scenes as there may be, of which two sets know one half each and a quarter both.
func besideScenes() (all, a, b []string) {
	for i := range MaxScenes {
		name := fmt.Sprintf("s%d", i)
		all = append(all, name)
		if i < MaxScenes*5/8 {
			a = append(a, name)
		}
		if i >= MaxScenes*3/8 {
			b = append(b, name)
		}
	}
	return all, a, b
}

// sharedRules are rules over all apps, so many that their marks collide: 15 counts for each scene.
func sharedRules() []Rule {
	rules := []Rule{
		{Name: "total", Limit: 60, Window: time.Hour},
		{Name: "of-a", Scene: "s0", Limit: 7, Window: MaxWindow, Algorithm: Bucket, Burst: 1},
		{Name: "of-b", Scene: "s127", Limit: 50, Window: 2 * time.Hour},
	}
	for i := range 15 {
		rules = append(rules, Rule{Name: fmt.Sprintf("r%d", i), By: []Kind{Scene}, Limit: 10, Window: time.Minute, Mode: Mode(i % 2)})
	}
	return rules
}

// Sets that are in force beside each other ask of a key that they share the same, cell by cell, and trim it alike, whatever
// other rules and scenes each of them has.
func TestSetsBesideEachOtherAgree(t *testing.T) {
	t.Parallel()
	all, scenesA, scenesB := besideScenes()
	own := Rule{Name: "own", By: []Kind{App}, Limit: 1, Window: MaxWindow}
	a, err := CompileBeside(append(sharedRules(), own), scenesA, all)
	if err != nil {
		t.Fatal(err)
	}
	b, err := CompileBeside(sharedRules(), scenesB, all)
	if err != nil {
		t.Fatal(err)
	}
	common := 0
	for _, scene := range scenesA {
		if b.plans[scene] == nil {
			continue
		}
		common++
		if pa, pb := sharedPlan(t, a, scene), sharedPlan(t, b, scene); !reflect.DeepEqual(pa, pb) {
			t.Fatalf("scene %s:\n%+v\n%+v", scene, pa, pb)
		}
	}
	if common != MaxScenes/4 {
		t.Errorf("%d scenes in common", common)
	}
	if p := sharedPlan(t, b, "s127"); p.Keep[Send].PerMark != 50 || p.TTL < MaxWindow {
		t.Errorf("a key is trimmed by the rules of some scenes alone: %+v", p)
	}
}

func sharedPlan(t *testing.T, s *RuleSet, scene string) *Plan {
	t.Helper()
	for _, g := range s.plans[scene][Send] {
		if g.kinds == 0 {
			return g.plan
		}
	}
	t.Fatalf("scene %s has no key over all apps", scene)
	return nil
}

func TestOverAllApps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		by   []Kind
		want bool
	}{{nil, true}, {[]Kind{Scene}, true}, {[]Kind{App}, false}, {[]Kind{App, Scene}, false}, {[]Kind{Phone}, false}, {[]Kind{Country, Scene}, false}} {
		if r := (Rule{By: c.by}); r.OverAllApps() != c.want {
			t.Errorf("%v: %v", c.by, !c.want)
		}
	}
}

// Only a rule over all apps may be about a scene of other sets, and scenes are bounded and told apart over all sets.
func TestWhatASetMayHaveOfOthers(t *testing.T) {
	t.Parallel()
	all, _, _ := besideScenes()
	shared := Rule{Name: "a", Scene: "theirs", Limit: 1, Window: time.Second}
	own := Rule{Name: "a", By: []Kind{Phone}, Scene: "theirs", Limit: 1, Window: time.Second}
	for name, c := range map[string]struct {
		rule   Rule
		others []string
		want   string
	}{
		"a rule over all apps of their scene": {shared, []string{"ours", "theirs"}, ""},
		"a rule over all apps of no scene":    {shared, nil, "no such scene"},
		"a rule of their scene":               {own, []string{"theirs"}, "no such scene"},
		"too many scenes":                     {shared, append([]string{"theirs"}, all...), "130 scenes: must be at most 128"},
		"scenes whose marks collide":          {shared, []string{"theirs", "transfer-topup", "leave-login"}, "marks collide"},
	} {
		_, err := CompileBeside([]Rule{c.rule}, []string{"ours"}, c.others)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
