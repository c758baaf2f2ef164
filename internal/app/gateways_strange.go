package app

import (
	"fmt"
	"maps"
	"slices"

	"smsd/internal/config"
	"smsd/internal/sms"
)

// strangeGateways returns a warning for each gateway that a template of p has a wording for, or a price is of, and the settings lack.
// It is no fault: one policy may serve instances with other gateways, those of tests among them; but a slip in the name would go unheard.
func strangeGateways(cfg *config.Config, p *sms.Policy) (warnings []string) {
	worded, priced := map[string]bool{}, map[string]bool{}
	for _, terms := range append([]*sms.Policy{p}, ofApps(p)...) {
		for _, name := range slices.Sorted(maps.Keys(terms.Scenes)) {
			warnings = append(warnings, strangeIn(cfg, terms.Scenes[name], worded)...)
		}
		warnings = append(warnings, strangePrices(cfg, terms.Prices, priced)...)
	}
	return warnings
}

// strangePrices are those of gateways that are not among seen, to which it adds them.
func strangePrices(cfg *config.Config, prices sms.Prices, seen map[string]bool) (warnings []string) {
	for _, price := range prices {
		for _, name := range slices.Sorted(maps.Keys(price.Gateways)) {
			if _, there := cfg.Gateways[name]; there || seen[name] {
				continue
			}
			seen[name] = true
			warnings = append(warnings, fmt.Sprintf("%s: a price is of gateway %s, which the settings lack", cfg.PolicyFile, name))
		}
	}
	return warnings
}

func ofApps(p *sms.Policy) (all []*sms.Policy) {
	for _, app := range slices.Sorted(maps.Keys(p.Apps)) {
		all = append(all, p.Apps[app])
	}
	return all
}

// strangeIn are those of one scene that are not among seen, to which it adds them.
func strangeIn(cfg *config.Config, s *sms.Scene, seen map[string]bool) (warnings []string) {
	for tag, template := range s.Templates.All() {
		for _, name := range template.Gateways() {
			if _, there := cfg.Gateways[name]; there || seen[name] {
				continue
			}
			seen[name] = true
			warnings = append(warnings, fmt.Sprintf("%s: scene %s has a wording in %s for gateway %s, which the settings lack", cfg.PolicyFile, s.Name, tag, name))
		}
	}
	return warnings
}
