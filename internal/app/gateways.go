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
	// open makes a driver of a block of gateways. It does not touch the network: a check of the settings calls it too. If its
	// error is a carrier.Faults, each fault is told with the setting's place.
	open func(name string, g config.Gateway) (gateway.Driver, error)
	// settings are what a block of gateways may hold beside kind.
	settings []string
	// forTests says that messages of it reach nobody.
	forTests bool
}

// kinds lists every kind of gateway. To add one: a folder under internal/gateway, a file beside this one, and a line here.
func kinds() map[string]kind {
	return map[string]kind{
		"mock": {open: openMock, forTests: true},

		"mock-aliyun":  {open: openRehearsal("aliyun"), forTests: true},
		"mock-aws":     {open: openRehearsal("aws"), forTests: true},
		"mock-tencent": {open: openRehearsal("tencent"), forTests: true},
		"mock-twilio":  {open: openRehearsal("twilio"), forTests: true},
		"mock-vonage":  {open: openRehearsal("vonage"), forTests: true},

		"aliyun":  {open: openAliyun, settings: aliyunSettings()},
		"aws":     {open: openAWS, settings: awsSettings()},
		"tencent": {open: openTencent, settings: tencentSettings()},
		"twilio":  {open: openTwilio, settings: twilioSettings()},
		"vonage":  {open: openVonage, settings: vonageSettings()},
		"webhook": {open: openWebhook, settings: webhookSettings()},
	}
}

// openGateways returns the router to every gateway of the settings, since a route of a policy that is not written yet may name
// each, and the inbox of those whose messages reach nobody; nil: there are none.
func openGateways(cfg *config.Config, r prometheus.Registerer) (*gateway.Router, *mock.Gateway, error) {
	o := gateway.RouterOptions{
		Default:    gateway.Route{Gateways: cfg.Gateway},
		TryTimeout: cfg.GatewayTimeout,
		Registerer: r,
	}
	var inbox *mock.Gateway
	for _, name := range inOrder(cfg) {
		g := cfg.Gateways[name]
		driver, err := kinds()[g.Kind].open(name, g)
		if err != nil {
			return nil, nil, err
		}
		o.Gateways = append(o.Gateways, gateway.Gateway{Name: name, Driver: driver, Breaker: !kinds()[g.Kind].forTests, Rate: g.Rate, Burst: g.Burst})
		inbox = shared(inbox, driver)
	}
	router, err := gateway.NewRouter(o)
	return router, inbox, err
}

// inOrder returns the names of all gateways: those of the default route, then the others.
func inOrder(cfg *config.Config) []string {
	names := slices.Clone(cfg.Gateway)
	for _, name := range slices.Sorted(maps.Keys(cfg.Gateways)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
