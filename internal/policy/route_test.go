package policy_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"smsd/internal/policy"
	"smsd/internal/sms"
)

const routed = `
scenes:
  login:   {countries: ["*"], templates: {en: "{{.Code}}"}, limits: [{name: a, by: [phone], limit: 1, window: 1h}]}
  payment: {countries: [CN, HK, "001"], templates: {en: "{{.Code}}"}, limits: [{name: a, by: [phone], limit: 1, window: 1h}]}
routes:
  - {scenes: [payment], countries: [CN], gateways: [aliyun, tencent]}
  - {countries: [CN, HK], gateways: [tencent]}
  - gateways: {twilio: 80, vonage: 20}
apps:
  shop:  {routes: [{countries: [US], gateways: [twilio]}]}
  none:  {routes: []}
  kiosk: {local_block: 0s}
`

// The first route that fits counts, and an app that states none has those of the top.
func TestRoutes(t *testing.T) {
	t.Parallel()
	p, warnings := parsed(t, routed)
	if len(warnings) > 0 {
		t.Errorf("warnings %q", warnings)
	}
	for _, c := range []struct{ app, scene, country, want string }{
		{"", "payment", "CN", "{[aliyun tencent] []}"},
		{"", "payment", "HK", "{[tencent] []}"},
		{"", "login", "CN", "{[tencent] []}"},
		{"", "login", "US", "{[twilio vonage] [80 20]}"},
		{"", "payment", "001", "{[twilio vonage] [80 20]}"},
		{"kiosk", "login", "CN", "{[tencent] []}"},
		{"shop", "login", "US", "{[twilio] []}"},
		{"shop", "login", "CN", "{[] []}"},
		{"none", "login", "CN", "{[] []}"},
	} {
		if got := fmt.Sprint(p.For(c.app).Routes.For(c.scene, c.country)); got != c.want {
			t.Errorf("app %q, %s to %s: %s, want %s", c.app, c.scene, c.country, got, c.want)
		}
	}
	if builtIn := policy.BuiltIn().Routes.For("login", "CN"); !builtIn.IsZero() {
		t.Errorf("the built-in policy has a route: %v", builtIn)
	}
}

// Routes are listed for those who check the gateways' names, each once and with its place.
func TestRoutesHaveTheirPlaces(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, routed)
	var all []string
	for _, r := range policy.Routes(p) {
		all = append(all, fmt.Sprintf("%s:%d", r.Path, r.Line))
	}
	if got, want := strings.Join(all, " "), "routes[0]:6 routes[1]:7 routes[2]:8 apps.shop.routes[0]:10"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestARouteCostsNoAllocation(t *testing.T) {
	p, _ := parsed(t, routed)
	if n := testing.AllocsPerRun(100, func() { _ = p.Routes.For("login", "US") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRoute(b *testing.B) {
	var routes sms.Routes
	for i := range 64 {
		routes = append(routes, sms.Route{Scenes: map[string]bool{fmt.Sprint("scene", i): true}, Countries: map[string]bool{"CN": true}})
	}
	for b.Loop() {
		_ = routes.For("login", "US")
	}
}

// A route that no message can take is warned of.
func TestWarningsOfRoutes(t *testing.T) {
	t.Parallel()
	const top = `
scenes:
  login:   {countries: ["*"], templates: {en: "{{.Code}}"}, limits: [{name: a, by: [phone], limit: 1, window: 1h}]}
  payment: {countries: [CN, HK], templates: {en: "{{.Code}}"}, limits: [{name: a, by: [phone], limit: 1, window: 1h}]}
`
	const never = "can never be taken"
	for name, c := range map[string]struct{ text, want string }{
		"one":                           {"routes: [{gateways: [a]}]", ""},
		"below one for all":             {"routes: [{gateways: [a]}, {countries: [CN], gateways: [b]}]", "routes[1]: " + never},
		"twice the same":                {"routes: [{countries: [CN], gateways: [a]}, {countries: [CN], gateways: [b]}]", "routes[1]: " + never},
		"in several parts":              {"routes: [{countries: [CN], gateways: [a]}, {countries: [HK, US], gateways: [a]}, {countries: [HK, CN], gateways: [b]}]", "routes[2]: " + never},
		"one country more":              {"routes: [{countries: [CN], gateways: [a]}, {countries: [HK, CN], gateways: [b]}]", ""},
		"another scene above":           {"routes: [{scenes: [login], gateways: [a]}, {countries: [CN], gateways: [b]}]", ""},
		"both scenes above":             {"routes: [{scenes: [login], gateways: [a]}, {scenes: [payment], gateways: [a]}, {countries: [CN], gateways: [b]}]", "routes[2]: " + never},
		"all that its scene serves":     {"routes: [{countries: [CN, HK], gateways: [a]}, {scenes: [payment], gateways: [b]}]", "routes[1]: " + never},
		"what its scene does not serve": {"routes: [{scenes: [payment], countries: [US], gateways: [a]}]", "routes[0]: " + never},
		"numbers of no country, of *":   {`routes: [{countries: ["001"], gateways: [a]}]`, "routes[0]: " + never},
		"taken by another app's scene":  {"routes: [{scenes: [pay], gateways: [a]}]\napps: {shop: {scenes: {pay: {templates: {en: \"{{.Code}}\"}, limits: [{name: a, by: [phone], limit: 1, window: 1h}]}}}}", ""},
		"in a section":                  {"apps: {shop: {routes: [{gateways: [a]}, {gateways: [b]}]}}", "apps.shop.routes[1]: " + never},
	} {
		_, warnings := parsed(t, top+c.text)
		if got := strings.Join(warnings, "\n"); (c.want == "") != (got == "") || !strings.Contains(got, c.want) || len(warnings) > 1 {
			t.Errorf("%s: %q, want %q", name, warnings, c.want)
		}
	}
}

// A whole file of routes is read in no time worth naming.
func TestManyRoutesAreRead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/apps.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "routes:\n"+strings.Repeat("  - {countries: [CN, US, GB, FR, DE], gateways: [a, b]}\n", 64)...)
	if _, warnings, err := policy.Parse(text); err != nil || len(warnings) < 60 {
		t.Errorf("%d warnings, %v", len(warnings), err)
	}
}
