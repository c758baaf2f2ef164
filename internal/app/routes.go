package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"smsd/internal/config"
	"smsd/internal/policy"
	"smsd/internal/sms"
)

// checkRoutes returns what is wrong with the gateways that a policy's routes name, at the start or at a reload.
func checkRoutes(cfg *config.Config, p *sms.Policy) config.Faults {
	var faults config.Faults
	for _, r := range policy.Routes(p) {
		for i, name := range r.Gateways.Gateways {
			if why := refusedInRoutes(cfg, name); why != "" {
				origin := config.Origin{File: cfg.PolicyFile, Line: r.Line}
				faults = append(faults, config.Fault{Path: r.Path, Origin: origin, Message: fmt.Sprintf("its gateway %d %s", i+1, why)})
			}
		}
	}
	return faults
}

// refusedInRoutes says why a route can't name the gateway, or "". It repeats no name that the settings lack: it may be misplaced text.
func refusedInRoutes(cfg *config.Config, name string) string {
	g, there := cfg.Gateways[name]
	switch {
	case !there:
		known := strings.Join(slices.Sorted(maps.Keys(cfg.Gateways)), ", ")
		return "is none of the settings', which have " + known + "; give it a block under gateways and restart, or leave it out"
	case kinds()[g.Kind].forTests && cfg.Profile == config.Production && !cfg.AllowMock:
		return "is " + name + ", whose messages reach nobody; production takes it with allow_mock: true alone"
	}
	return ""
}

// acceptPolicy refuses, at the start and at every reload, a policy that is good in itself and not for these settings.
func acceptPolicy(cfg *config.Config, p *sms.Policy) config.Faults {
	return append(checkProductionPolicy(cfg, p), checkRoutes(cfg, p)...)
}
