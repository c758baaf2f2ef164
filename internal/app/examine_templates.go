package app

import (
	"maps"
	"slices"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/secret"
	"smsd/internal/sms"
)

// templatesOf returns the templates that messages of the policy come with at the named gateway, each once: of every scene, of
// every app, in every language. The zero one is among them if some messages come without. No param has its value.
func templatesOf(p *sms.Policy, name string) []gateway.Template {
	var all []gateway.Template
	seen := map[string]bool{}
	for _, scene := range scenesOf(p) {
		for _, template := range scene.Templates.All() {
			t := bare(template.Say(name, secret.Text{}, scene.TTL).Template)
			if key := keyOf(t); !seen[key] {
				seen[key] = true
				all = append(all, t)
			}
		}
	}
	return all
}

// scenesOf returns the scenes of a policy and of its apps.
func scenesOf(p *sms.Policy) []*sms.Scene {
	var all []*sms.Scene
	for _, name := range slices.Sorted(maps.Keys(p.Scenes)) {
		all = append(all, p.Scenes[name])
	}
	for _, app := range slices.Sorted(maps.Keys(p.Apps)) {
		all = append(all, scenesOf(p.Apps[app])...)
	}
	return all
}

// bare returns t without values.
func bare(t gateway.Template) gateway.Template {
	params := t.Params
	t.Params = nil
	for _, p := range params {
		t.Params = append(t.Params, gateway.Param{Name: p.Name})
	}
	return t
}

// keyOf tells templates apart.
func keyOf(t gateway.Template) string {
	parts := []string{t.Sign, t.Code}
	for _, p := range t.Params {
		parts = append(parts, p.Name)
	}
	return strings.Join(parts, "\x00")
}
