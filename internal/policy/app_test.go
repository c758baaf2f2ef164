package policy_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/policy"
	"smsd/internal/sms"
)

// sections is a policy with three apps.
func sections(t *testing.T) *sms.Policy {
	t.Helper()
	text, err := os.ReadFile("testdata/apps.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := parsed(t, string(text))
	return p
}

func labels(p *sms.Policy) string {
	var all []string
	for _, r := range p.Rules.Rules() {
		all = append(all, fmt.Sprintf("%s=%d", r.Label(), r.Limit))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// What a section states replaces the top's whole; the rest it inherits, and the rules over all apps in any case.
func TestSectionsOfApps(t *testing.T) {
	t.Parallel()
	p := sections(t)
	const top = "login/all=100 login/cooldown=1 phone-hour=5 total-hour=10000"
	for app, want := range map[string]struct {
		rules, scenes, stated string
		tests, blocks         int
		local                 time.Duration
	}{
		"nobody":  {top, "[login]", "[]", 1, 1, 30 * time.Second},
		"default": {top, "[login]", "[local_block]", 1, 0, time.Minute},
		"shop":    {"checkout/cooldown=2 login/all=100 phone-hour=5 total-hour=10000", "[checkout login]", "[scenes]", 1, 0, 30 * time.Second},
		"kiosk":   {"app-hour=1000 login/all=100 login/cooldown=1 phone-hour=50 total-hour=10000", "[login]", "[limits test_numbers block local_block]", 0, 1, 0},
	} {
		own := p.For(app)
		if got := labels(own); got != want.rules {
			t.Errorf("%s: rules %s, want %s", app, got, want.rules)
		}
		if got := fmt.Sprint(names(own)); got != want.scenes {
			t.Errorf("%s: scenes %s", app, got)
		}
		if got := fmt.Sprint(own.Stated); got != want.stated {
			t.Errorf("%s: states %s", app, got)
		}
		if len(own.TestNumbers) != want.tests || len(own.Blocks) != want.blocks || own.LocalBlock != want.local || own.Version != p.Version {
			t.Errorf("%s: %d test numbers, %d blocks, local block %s, version %s", app, len(own.TestNumbers), len(own.Blocks), own.LocalBlock, own.Version)
		}
	}
	if p.For("default").Rules != p.Rules || p.For("shop").Rules == p.Rules {
		t.Error("a section without limits and scenes shares the top's compiled rules, another one has its own")
	}
	if p.For("shop").Scenes["login"] == p.Scenes["login"] || p.For("kiosk").Scenes["login"] != p.Scenes["login"] {
		t.Error("scenes that are stated replace the top's, and others are the top's")
	}
	if _, listed := p.For("shop").TestNumbers[phone.MustParse("+8613800000000")]; !listed {
		t.Error("a test number is not inherited")
	}
}

func names(p *sms.Policy) []string {
	var all []string
	for name := range p.Scenes {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// What the production profile asks of a policy it asks of every section; what is inherited counts once.
func TestProductionLooksIntoSections(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, `
scenes: {login: {templates: {en: "{{.Code}}"}}}
test_numbers: [{phone: "+8613800000000", code: "0000"}]
apps:
  shop: {test_numbers: [{phone: "+8613800000001", code: "0000"}, {phone: "+8613800000002", code: "0000", until: 2126-01-01}]}
  kiosk: {scenes: {pay: {templates: {en: "{{.Code}}"}}, login: {countries: [CN], templates: {en: "{{.Code}}"}}}}
`)
	if n := policy.TestNumbersWithoutEnd(p); n != 2 {
		t.Errorf("%d test numbers without an end, want 2", n)
	}
	if got := fmt.Sprint(policy.UnboundedCountries(p)); got != "[login apps.kiosk.scenes.pay]" {
		t.Errorf("scenes that serve every country: %s", got)
	}
}

// Each warning of a section says whose it is, in its path or before its message; what is inherited is warned of only where
// the section makes it so.
func TestWarningsOfSections(t *testing.T) {
	t.Parallel()
	const top = `limits: [{name: total, by: [], limit: 60, window: 1h}, {name: ip, by: [ip], limit: 50, window: 1h, mode: off}]
scenes:
  login:
    countries: [CN]
    templates: {en: "{{.Code}}"}
    limits: [{name: hour, by: [phone], limit: 4, window: 1h}]
test_numbers: [{phone: "+8613800000000", code: "0000", until: 2126-01-01}]
local_block: 0s
apps:
  shop:
`
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing": {"    block: []\n", nil},
		"a rule that another of the app covers": {"    limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 9, window: 1h}]\n",
			[]string{`line 11, column 57: apps.shop.limits[1]: rule "b": can never bind: rule "a" on line 11`}},
		"a rule that the top's covers": {"    limits: [{name: a, by: [app], limit: 60, window: 1h}]\n",
			[]string{`apps.shop.limits[0]: rule "a": can never bind: rule "total" on line 1`}},
		"an inherited rule that the app's covers": {"    limits: [{name: a, by: [phone], limit: 1, window: 1h}]\n",
			[]string{`scenes.login.limits[0]: app "shop": rule "login/hour": can never bind: rule "a" on line 11`}},
		"a rule that is off": {"    limits: [{name: a, by: [phone], limit: 5, window: 1h, mode: off}]\n", []string{`apps.shop.limits[0]: rule "a": is off`}},
		"a rule that never counts": {"    limits: [{name: a, by: [phone], limit: 5, window: 1h, on: verify}]\n",
			[]string{`apps.shop.limits[0]: rule "a": can never bind: a verify is counted`}},
		"scenes without limits": {"    scenes: {pay: {countries: [CN], templates: {en: \"{{.Code}}\"}}}\n",
			[]string{`apps.shop.scenes.pay: no enforced rule counts sends by phone`}},
		"scenes that do not serve the test number": {"    scenes: {pay: {countries: [US], templates: {en: \"{{.Code}}\"}, limits: [{name: a, by: [phone], limit: 1, window: 1h}]}}\n",
			[]string{`test_numbers[0]: app "shop": no scene serves this number`}},
		"a local block of nobody": {"    local_block: 5s\n", []string{`apps.shop.local_block: blocks nobody`}},
		"an end that has passed":  {"    block: [{country: KP, until: 2001-01-01}]\n", []string{`apps.shop.block[0].until: has passed`}},
	} {
		_, warnings := parsed(t, top+c.text)
		warnings = slices.DeleteFunc(warnings, func(w string) bool { return strings.Contains(w, `limits[1]: rule "ip": is off`) })
		if len(warnings) != len(c.want) {
			t.Errorf("%s: %q, want %q", name, warnings, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(warnings[i], want) {
				t.Errorf("%s: %q lacks %q", name, warnings[i], want)
			}
		}
	}
}

// Rules that the section takes from under a scene or a local block of the top are missed there.
func TestWarningsOfWhatASectionTakesAway(t *testing.T) {
	t.Parallel()
	_, warnings := parsed(t, `limits: [{name: phone, by: [phone], limit: 5, window: 1h}, {name: ip, by: [ip], limit: 50, window: 1h}]
scenes: {login: {templates: {en: "{{.Code}}"}}}
local_block: 5s
apps:
  shop: {limits: []}
`)
	want := []string{`line 2, column 17: scenes.login: app "shop": no enforced rule counts sends by phone`, `line 3, column 14: local_block: app "shop": blocks nobody`}
	if len(warnings) != 2 || !strings.HasPrefix(warnings[0], want[0]) || !strings.HasPrefix(warnings[1], want[1]) {
		t.Errorf("%q, want %q", warnings, want)
	}
}

// What the top was warned of is not said again for each app that inherits it.
func TestInheritedWarningsAreSaidOnce(t *testing.T) {
	t.Parallel()
	_, warnings := parsed(t, `limits: [{name: a, by: [phone], limit: 5, window: 1h}, {name: b, by: [phone], limit: 5, window: 1h}, {name: c, by: [ip], limit: 5, window: 1h, mode: off}]
scenes: {login: {default_region: CN, countries: [US], templates: {en: "{{.Code}}"}}}
test_numbers: [{phone: "+8613800000000", code: "0000", until: 2001-01-01}]
apps:
  shop: {scenes: {pay: {templates: {en: "{{.Code}}"}}}}
  kiosk: {limits: [{name: d, by: [phone], limit: 5, window: 1h}]}
`)
	if len(warnings) != 5 { // b, c, the region; of the test number, that no scene of the top serves it and that it has ended
		t.Errorf("%q", warnings)
	}
}

// However many sections there are, what they make the service hold is bounded.
func TestBoundsOfSections(t *testing.T) {
	t.Parallel()
	many := func(n int, write func(i int) string) string {
		var text strings.Builder
		for i := range n {
			text.WriteString(write(i))
		}
		return text.String()
	}
	scenes := func(n int, name string) string {
		return "{" + many(n, func(i int) string { return fmt.Sprintf("%s%d: {templates: {en: \"{{.Code}}\"}}, ", name, i) }) + "}"
	}
	rules := func(n int) string {
		return "[" + many(n, func(i int) string {
			return fmt.Sprintf("{name: r%d, by: [phone, ip], limit: %d, window: 1h}, ", i, i+1)
		}) + "]"
	}
	const top = "scenes: {login: {templates: {en: \"{{.Code}}\"}}}\napps:\n"
	for want, text := range map[string]string{
		"apps: has 201 apps, at most 200 are allowed":                                           many(201, func(i int) string { return fmt.Sprintf("  a%d: {local_block: 5s}\n", i) }),
		"apps: has 4097 rules over all apps, inherited ones included; at most 4096 are allowed": many(16, func(i int) string { return fmt.Sprintf("  a%d: {limits: %s}\n", i, rules(256)) }) + "  b: {limits: " + rules(1) + "}\n",
		"apps: has, with the top of the file, scenes of 129 names; at most 128 are allowed":     "  a: {scenes: " + scenes(64, "a") + "}\n  b: {scenes: " + scenes(64, "b") + "}\n",
	} {
		_, _, err := policy.Parse([]byte(top + text))
		if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.300v, want %s", err, want)
		}
	}
	if _, _, err := policy.Parse([]byte(top + many(200, func(i int) string { return fmt.Sprintf("  a%d: {limits: %s}\n", i, rules(20)) }))); err != nil {
		t.Errorf("%.300v", err)
	}
}

// Sets of rules that share a key must have the same rules on it: a section has those over all apps too that stand under a
// scene which it lacks.
func TestRulesOverAllAppsAreInEverySet(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, `
limits: [{name: total, by: [], limit: 9, window: 1h}, {name: phone, by: [phone], limit: 9, window: 1h}]
scenes:
  login:
    templates: {en: "{{.Code}}"}
    limits: [{name: all, by: [scene], limit: 5, window: 1h}, {name: hour, by: [phone], limit: 5, window: 1h}]
apps:
  scenes: {scenes: {pay: {templates: {en: "{{.Code}}"}}}}
  limits: {limits: []}
  both: {limits: [{name: phone, by: [phone], limit: 2, window: 1h}], scenes: {login: {templates: {en: "{{.Code}}"}, limits: [{name: hour, by: [phone], limit: 1, window: 1h}]}}}
`)
	for app, want := range map[string]string{
		"scenes": "login/all=5 phone=9 total=9",
		"limits": "login/all=5 login/hour=5 total=9",
		"both":   "login/all=5 login/hour=1 phone=2 total=9",
	} {
		if got := labels(p.For(app)); got != want {
			t.Errorf("%s: %s, want %s", app, got, want)
		}
	}
	if n := len(policy.InForce(p.For("scenes"))); n != 2 { // none of login
		t.Errorf("%d rules concern the scenes of the app scenes", n)
	}
}
