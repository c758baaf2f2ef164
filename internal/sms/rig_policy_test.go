package sms_test

import (
	"strings"

	"smsd/internal/policy"
)

// with is a policy of one scene, login, with further lines, and without limits unless they bring some.
func with(lines ...string) string {
	text := `
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: ["*"]
    number_types: [mobile, fixed_or_mobile]
    templates: {en: "{{.Code}} {{.Minutes}}"}
`
	for _, line := range lines {
		if !strings.HasPrefix(line, "\n") { // else it is of the policy, not of the scene
			line = "    " + line
		}
		text += line + "\n"
	}
	return text
}

// usePolicy puts another policy in force, as a reload does.
func (r *rig) usePolicy(text string) {
	r.t.Helper()
	if text == "" {
		r.policy.Store(policy.BuiltIn())
		return
	}
	p, _, err := policy.Parse([]byte(text))
	if err != nil {
		r.t.Fatal(err)
	}
	r.policy.Store(p)
}
