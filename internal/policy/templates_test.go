package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/policy"
	"smsd/internal/secret"
)

const wordings = `
variables: {Product: Example, Firm: 示例科技}
scenes:
  login:
    code: {length: 6, ttl: 10m}
    templates:
      en: "{{.Product}}: {{.Code}} is your login code."
      zh:
        text: "登录验证码：{{.Code}}，{{.Minutes}}分钟内有效。"
        sign: "{{.Firm}}"
        web_otp: app.example.com
        gateways:
          aliyun:  {code: SMS_123456789, params: {code: "{{.Code}}", min: "{{.Minutes}}"}}
          tencent: {code: "449739", sign: 示例, params: ["{{.Code}}", "{{.Minutes}} {{.Product}}"]}
          twilio:  {text: "{{.Code}} {{.Product}}"}
          vonage:  {text: "{{.Code}} {{.Product}}", sign: ""}
      de: {text: "{{.Code}} ist Ihr Code.\n", android_hash: FA+9qCX9VSu}
      fr: {text: "【Exemple】{{.Code}}", gateways: {plain: {text: "{{.Code}} 【{{.Product}}】"}}}
apps:
  shop:
    variables: {Product: Laden}
`

// said is how a gateway says a message: its text, and in brackets the template that its carrier keeps.
func said(w gateway.Wording) string {
	text := w.Text.Reveal()
	if w.Template.IsZero() {
		return text
	}
	var params []string
	for _, p := range w.Template.Params {
		params = append(params, p.Name+"="+p.Value.Reveal())
	}
	return text + " [" + w.Template.Sign + " " + w.Template.Code + " " + strings.Join(params, ",") + "]"
}

func TestWordings(t *testing.T) {
	t.Parallel()
	p, warnings := parsed(t, wordings)
	if len(warnings) != 1 { // that nothing limits sends
		t.Error(warnings)
	}
	const zh = "登录验证码：012345，4分钟内有效。\n\n@app.example.com #012345"
	for _, c := range []struct{ app, tag, gateway, want string }{
		{"", "en", "", "Example: 012345 is your login code."},
		{"", "en", "aliyun", "Example: 012345 is your login code."},
		{"shop", "en", "aliyun", "Laden: 012345 is your login code."},
		{"", "zh", "", "【示例科技】" + zh},
		{"", "zh", "other", "【示例科技】" + zh},
		{"", "zh", "aliyun", "【示例科技】" + zh + " [示例科技 SMS_123456789 code=012345,min=4]"},
		{"", "zh", "tencent", "【示例】" + zh + " [示例 449739 =012345,=4 Example]"},
		{"shop", "zh", "tencent", "【示例】" + zh + " [示例 449739 =012345,=4 Laden]"},
		{"", "zh", "twilio", "【示例科技】012345 Example\n\n@app.example.com #012345"},
		{"shop", "zh", "twilio", "【示例科技】012345 Laden\n\n@app.example.com #012345"},
		{"", "zh", "vonage", "012345 Example\n\n@app.example.com #012345"},
		{"", "de", "", "012345 ist Ihr Code.\n\nFA+9qCX9VSu"},
		{"", "fr", "", "【Exemple】012345"},
		{"shop", "fr", "plain", "012345 【Laden】"},
	} {
		template, tag := p.For(c.app).Scenes["login"].Templates.Match(c.tag)
		if got := said(template.Say(c.gateway, secret.New("012345"), 5*time.Minute-1)); got != c.want || tag != c.tag {
			t.Errorf("%s by %q for %q:\n%q, want\n%q", c.tag, c.gateway, c.app, got, c.want)
		}
	}
}

// What is counted and looked at beforehand is the longest message, in every language and by every gateway.
func TestEveryWordingIsFound(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, wordings)
	scene, found := p.Scenes["login"], []string{}
	for tag, template := range scene.Templates.All() {
		for _, name := range append([]string{""}, template.Gateways()...) {
			found = append(found, tag+" "+name)
			if text := scene.Longest(template, name).Text.Reveal(); !strings.Contains(text, "000000") {
				t.Errorf("%s by %q: %q", tag, name, text)
			}
		}
	}
	if want := []string{"en ", "de ", "fr ", "fr plain", "zh ", "zh aliyun", "zh tencent", "zh twilio", "zh vonage"}; !slices.Equal(found, want) {
		t.Errorf("%q", found)
	}
	zh, _ := scene.Templates.Match("zh")
	if got := said(scene.Longest(zh, "aliyun")); !strings.HasSuffix(got, "[示例科技 SMS_123456789 code=000000,min=10]") {
		t.Error(got)
	}
}

// A section's variables go before the top's, and those alone that it states are its own.
func TestVariablesOfApps(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, `
variables: {Product: Top, Team: all of us}
scenes:
  login: {templates: {en: "{{.Product}} {{.Team}} {{.Code}}"}}
apps:
  shop:
    variables: {Product: Shop}
  kiosk:
    scenes: {pay: {templates: {en: "{{.Team}} {{.Code}}"}}}
  both:
    variables: {Place: Bonn}
    scenes: {pay: {templates: {en: "{{.Product}} in {{.Place}} {{.Code}}"}}}
  plain:
    limits: [{name: a, by: [phone], limit: 1, window: 1m}]
`)
	for app, want := range map[string]string{
		"": "login: Top all of us 1", "shop": "login: Shop all of us 1", "kiosk": "pay: all of us 1", "both": "pay: Top in Bonn 1", "plain": "login: Top all of us 1",
	} {
		for name, scene := range p.For(app).Scenes {
			template, _ := scene.Templates.Match("")
			if got := name + ": " + template.Render(secret.New("1"), 0).Reveal(); got != want {
				t.Errorf("%s: %s, want %s", app, got, want)
			}
		}
	}
	if p.For("plain").Scenes["login"] != p.Scenes["login"] || p.For("shop").Scenes["login"] == p.Scenes["login"] {
		t.Error("scenes are shared unless their texts differ")
	}
	if got := fmt.Sprint(p.For("shop").Stated, policy.UnboundedCountries(p)); got != "[variables] [login apps.both.scenes.pay apps.kiosk.scenes.pay]" {
		t.Error(got)
	}
}
