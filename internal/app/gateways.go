package app

import (
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
)

// kind is a way to speak to carriers.
type kind struct {
	open func(name string, g config.Gateway) (gateway.Driver, error)
	// settings are what a block of gateways may hold beside kind.
	settings []string
	// forTests says that messages of it reach nobody.
	forTests bool
}

// kinds lists every kind of gateway. To add one: a folder under internal/gateway, and a line here.
func kinds() map[string]kind {
	return map[string]kind{
		"mock": {open: openMock, forTests: true},
	}
}

func openMock(name string, _ config.Gateway) (gateway.Driver, error) {
	return mock.NewWith(mock.Options{Name: name}), nil
}

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
	if k := kinds()[cfg.Gateways[cfg.Gateway].Kind]; k.forTests && cfg.Profile == config.Production && !cfg.AllowMock {
		faults = append(faults, cfg.Fault("gateway", "production needs a gateway whose messages reach people (or allow_mock: true)"))
	}
	return faults
}

func checkGatewaySettings(cfg *config.Config, name string, k kind) config.Faults {
	var faults config.Faults
	for _, setting := range slices.Sorted(maps.Keys(cfg.Gateways[name].Settings)) {
		if !slices.Contains(k.settings, setting) {
			faults = append(faults, cfg.Fault("gateways."+name+"."+setting, "unknown; a gateway of kind "+cfg.Gateways[name].Kind+" has no such setting"))
		}
	}
	return faults
}

// openGateway returns the router to the chosen gateway, and its inbox if it is the mock gateway.
func openGateway(cfg *config.Config, r prometheus.Registerer) (*gateway.Router, *mock.Gateway, error) {
	g := cfg.Gateways[cfg.Gateway]
	driver, err := kinds()[g.Kind].open(cfg.Gateway, g)
	if err != nil {
		return nil, nil, err
	}
	router, err := gateway.NewRouter(gateway.RouterOptions{
		Routes:     []gateway.Route{{Name: cfg.Gateway, Driver: driver}},
		TryTimeout: cfg.GatewayTimeout,
		Registerer: r,
	})
	inbox, _ := driver.(*mock.Gateway)
	return router, inbox, err
}
