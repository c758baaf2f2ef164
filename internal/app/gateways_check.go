package app

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"smsd/internal/config"
	"smsd/internal/gateway/carrier"
)

// checkGateways sees that the kind and the settings of every gateway are known.
func checkGateways(cfg *config.Config) config.Faults {
	var faults config.Faults
	for _, name := range slices.Sorted(maps.Keys(cfg.Gateways)) {
		g := cfg.Gateways[name]
		k, found := kinds()[g.Kind]
		if !found {
			faults = append(faults, cfg.UnknownGateway(name, slices.Sorted(maps.Keys(kinds()))))
			continue
		}
		faults = append(faults, checkGatewaySettings(cfg, name, k)...)
	}
	if name := firstForTests(cfg, cfg.Gateway); name != "" && cfg.Profile == config.Production && !cfg.AllowMock {
		faults = append(faults, cfg.Fault("gateway", "production needs gateways whose messages reach people (or allow_mock: true): not "+name))
	}
	return faults
}

// firstForTests returns the first of the named gateways whose messages reach nobody, or "".
func firstForTests(cfg *config.Config, names []string) string {
	for _, name := range names {
		if kinds()[cfg.Gateways[name].Kind].forTests {
			return name
		}
	}
	return ""
}

func checkGatewaySettings(cfg *config.Config, name string, k kind) config.Faults {
	g, path := cfg.Gateways[name], "gateways."+name+"."
	var faults config.Faults
	for _, setting := range slices.Sorted(maps.Keys(g.Settings)) {
		if !slices.Contains(k.settings, setting) {
			faults = append(faults, cfg.UnknownSetting(name, setting, k.settings))
		}
	}
	if cfg.GatewayAtFault(name) {
		return faults
	}
	_, err := k.open(name, g)
	return append(faults, settingFaults(cfg, path, err)...)
}

// settingFaults are what a driver says of its settings, each at its place.
func settingFaults(cfg *config.Config, path string, err error) config.Faults {
	if err == nil {
		return nil
	}
	found, ok := errors.AsType[carrier.Faults](err)
	if !ok {
		return config.Faults{cfg.Fault(strings.TrimSuffix(path, "."), err.Error())}
	}
	var faults config.Faults
	for _, setting := range slices.Sorted(maps.Keys(found)) {
		faults = append(faults, cfg.Fault(path+setting, found[setting]))
	}
	return faults
}
