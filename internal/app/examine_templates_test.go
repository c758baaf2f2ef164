package app

import (
	"strings"
	"testing"

	"smsd/internal/policy"
)

// Every template that a message may come with, once: of scenes, languages and apps, without what is put into it.
func TestTemplatesOfGateway(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte(`
variables: {Firm: 示例}
limits: [{name: hour, by: [phone], limit: 5, window: 1h}]
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: [CN]
    templates:
      en: {text: "{{.Code}}", gateways: {big: {code: SMS_1, sign: "{{.Firm}}", params: {code: "{{.Code}}"}}}}
      zh: {text: "{{.Code}}", gateways: {big: {code: SMS_1, sign: "{{.Firm}}", params: {code: "{{.Code}}"}}, other: {code: "7", params: ["{{.Code}}"]}}}
  payment:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: [CN]
    templates: {en: "{{.Code}}"}
apps:
  shop: {variables: {Firm: 商店}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"big": "示例 SMS_1 code; ; 商店 SMS_1 code", "other": "; 7 -", "third": ""} {
		var all []string
		for _, template := range templatesOf(p, name) {
			text := strings.TrimSpace(template.Sign + " " + template.Code)
			for _, param := range template.Params {
				if !param.Value.IsZero() {
					t.Errorf("%s: the value of %q is there", name, param.Name)
				}
				text += " " + param.Name
				if param.Name == "" {
					text += "-"
				}
			}
			all = append(all, text)
		}
		if got := strings.Join(all, "; "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
