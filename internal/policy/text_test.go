package policy_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/policy"
)

const measured = `
prices:
  - {gateways: [west], countries: [US], segment: 0.0083 USD}
  - {gateways: [west], countries: [DE], segment: 0.1108 USD}
  - {gateways: [east], countries: [CN], segment: 0.045 CNY}
scenes:
  login:
    code: {length: 8, ttl: 100m}
    countries: [US, CN]
    templates:
      en: "{{.Code}}, for {{.Minutes}} minutes"
      zh:
        text: "验证码：{{.Code}}"
        sign: 示例科技
        web_otp: app.example.com
        gateways:
          east: {sign: 示例, code: SMS_1, params: {code: "{{.Code}}"}}
          west: {text: "Code {{.Code}}’s", sign: ""}
    budget: {segments: 1, price: 0.10 USD}
apps:
  shop:
    prices: [{segment: 0.11 USD}]
  kiosk:
    limits: []
`

// What lint shows is one line for each language and gateway that says it in its own way, at the longest; what is over a
// budget is told there, and is no fault.
func TestLint(t *testing.T) {
	t.Parallel()
	texts, err := policy.Lint([]byte(measured))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range texts {
		got = append(got, fmt.Sprintf("%s %s %s %s: %s %d %d %v %d", x.App, x.Scene, x.Locale, x.Gateway, x.Encoding, x.Units, x.Segments, x.Costs, len(x.Over)))
	}
	want := []string{
		" login en : GSM-7 25 1 [0.045 CNY 0.0083 USD] 0",
		" login zh : UCS-2 46 1 [] 0",
		" login zh east: UCS-2 44 1 [0.045 CNY] 0",
		" login zh west: UCS-2 43 1 [0.0083 USD] 0",
		"shop login en : GSM-7 25 1 [0.11 USD] 1",
		"shop login zh : UCS-2 46 1 [0.11 USD] 1",
		"shop login zh east: UCS-2 44 1 [0.11 USD] 1",
		"shop login zh west: UCS-2 43 1 [0.11 USD] 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if over := texts[4].Over; len(over) == 1 && over[0] != "costs up to 0.11 USD, at 1 segment (GSM-7, 25 units); the scene's budget is 0.1 USD" {
		t.Errorf("over: %s", over)
	}
	if f := texts[3].Foreign; f.Char != '’' || f.Count != 1 {
		t.Errorf("foreign: %+v", f)
	}
	_, _, err = policy.Parse([]byte(measured))
	if faults, ok := errors.AsType[policy.Faults](err); !ok || len(faults) != 4 {
		t.Errorf("parsed: %v", err)
	}
	if _, err := policy.Lint([]byte("scenes: {}")); err == nil {
		t.Error("another fault is none to lint")
	}
}

// The texts of the built-in policy are billed once each, so nobody pays twice for having set nothing.
func TestBuiltInTextsTakeOneSegment(t *testing.T) {
	t.Parallel()
	texts := policy.Texts(policy.BuiltIn())
	if len(texts) != 8 {
		t.Errorf("%d texts", len(texts))
	}
	for _, x := range texts {
		want := map[string]gateway.Encoding{"en": gateway.GSM7, "zh": gateway.UCS2}[x.Locale]
		if x.Segments != 1 || x.Encoding != want || len(x.Costs) > 0 || len(x.Over) > 0 {
			t.Errorf("%s %s: %+v", x.Scene, x.Locale, x)
		}
	}
}

func TestPricesOfApps(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, strings.Replace(measured, "0.10 USD", "0.11 USD", 1)+"  none: {prices: []}\n")
	for app, want := range map[string]string{"": "0.0083 USD", "kiosk": "0.0083 USD", "shop": "0.11 USD", "none": ""} {
		if got := p.For(app).Prices.Of("west", "US").String(); got != want {
			t.Errorf("app %q: %q, want %q", app, got, want)
		}
	}
}

func TestWarningsOfTextsAndPrices(t *testing.T) {
	t.Parallel()
	const (
		scene = "scenes:\n  login:\n    countries: [CN]\n    limits: [{name: hour, by: [phone], limit: 4, window: 1h}]\n    templates: {en: \"{{.Code}} %s\"}\n%s"
		many  = "a text of which nobody would think that it is as long as all this, so that more and more words are needed to make it longer than what one message takes, which is 160."
	)
	for name, c := range map[string]struct{ before, text, budget, after, want string }{
		"two segments": {"", many, "", "", "line 5, column 21: scenes.login.templates.en: takes up to 2 segments (GSM-7, 173 units); a budget of segments in the scene says how many it may"},
		"two segments by one character": {"", "…" + many[:90], "", "", "line 5, column 21: scenes.login.templates.en: takes up to 2 segments (UCS-2, 98 units, because of U+2026 '…' horizontal ellipsis: write ... instead); " +
			"a budget of segments in the scene says how many it may"},
		"two are allowed":        {"", many, "    budget: {segments: 2}\n", "", ""},
		"no price of a budget":   {"", "", "    budget: {price: 1 USD}\n", "", "line 6, column 21: scenes.login.budget.price: bounds nothing: no price of a message of this scene is known in USD"},
		"a price elsewhere":      {"prices: [{countries: [US], segment: 1 USD}]\n", "", "    budget: {price: 1 USD}\n", "", "line 7, column 21: scenes.login.budget.price: bounds nothing: no price of a message of this scene is known in USD"},
		"other currencies":       {"prices: [{gateways: [a], segment: 1 CNY}, {gateways: [b], segment: 1 EUR}, {segment: 1 USD}]\n", "", "    budget: {price: 1 USD}\n", "", "line 7, column 21: scenes.login.budget.price: does not bound what is priced in CNY, EUR: amounts in different currencies are not compared"},
		"another currency":       {"prices: [{gateways: [a], segment: 1 CNY}, {segment: 1 USD}]\n", "", "    budget: {price: 1 USD}\n", "", "line 7, column 21: scenes.login.budget.price: does not bound what is priced in CNY: amounts in different currencies are not compared"},
		"a price behind another": {"prices: [{gateways: [a, b], segment: 1 CNY}, {segment: 1 USD, countries: [CN]}, {gateways: [b], countries: [CN], segment: 1 USD}]\n", "", "", "", "line 1, column 81: prices[2]: can never be a message's price: the one on line 1 is for all of its gateways and countries"},
		"of an app":              {"prices: [{segment: 1 USD}]\n", "", "    budget: {price: 1 USD}\n", "apps: {shop: {prices: []}}\n", "line 7, column 21: scenes.login.budget.price: app \"shop\": bounds nothing: no price of a message of this scene is known in USD"},
	} {
		_, warnings := parsed(t, c.before+fmt.Sprintf(scene, c.text, c.budget)+c.after)
		if got := strings.Join(warnings, "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// What a scene's messages cost is bounded by its budget in the exact amount, not in one near it.
func TestBudgetIsExact(t *testing.T) {
	t.Parallel()
	const text = "prices: [{segment: 0.1 USD}]\nscenes: {login: {templates: {en: \"{{.Code}}\"}, budget: {price: %s USD}}}\n"
	for budget, good := range map[string]bool{"0.1": true, "0.100000": true, "0.099999": false, "0.100001": true} {
		if _, _, err := policy.Parse(fmt.Appendf(nil, text, budget)); (err == nil) != good {
			t.Errorf("a budget of %s: %v", budget, err)
		}
	}
}
