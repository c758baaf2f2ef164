package app

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/mock"
	"smsd/internal/gateway/webhook"
)

// kind is a way to speak to carriers.
type kind struct {
	// open makes a driver of a block of gateways. It does not touch the network: a check of the settings calls it too. If its
	// error is a [carrier.Faults], each fault is told with the setting's place.
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

		"mock-aliyun":  {open: openRehearsal("aliyun"), forTests: true},
		"mock-tencent": {open: openRehearsal("tencent"), forTests: true},
		"mock-twilio":  {open: openRehearsal("twilio"), forTests: true},
		"mock-vonage":  {open: openRehearsal("vonage"), forTests: true},

		"twilio":  {open: openTwilio, settings: twilioSettings()},
		"vonage":  {open: openVonage, settings: vonageSettings()},
		"webhook": {open: openWebhook, settings: []string{"url", "secret", "allow_private"}},
		"aws":     {open: openAWS, settings: awsSettings()},
		"aliyun":  {open: openAliyun, settings: []string{"access_key_id", "access_key_secret", "sign", "template", "receipt_secret", "endpoint"}},
		"tencent": {open: openTencent, settings: []string{"secret_id", "secret_key", "app_id", "sign", "template", "sender_id", "region", "receipt_secret", "endpoint"}},
	}
}

func openWebhook(_ string, g config.Gateway) (gateway.Driver, error) {
	private, err := isTrue(g.Settings["allow_private"])
	if err != nil {
		return nil, carrier.Faults{"allow_private": err.Error()}
	}
	return webhook.Open(webhook.Config{URL: g.Settings["url"], Secrets: list(g.Settings["secret"]), AllowPrivate: private})
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
			faults = append(faults, cfg.Fault(path+setting, "unknown; a gateway of kind "+g.Kind+" has "+orNone(k.settings)))
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
	found, ok := errors.AsType[carrier.Faults](err)
	if !ok {
		if err == nil {
			return nil
		}
		return config.Faults{cfg.Fault(strings.TrimSuffix(path, "."), err.Error())}
	}
	var faults config.Faults
	for _, setting := range slices.Sorted(maps.Keys(found)) {
		faults = append(faults, cfg.Fault(path+setting, found[setting]))
	}
	return faults
}

func orNone(settings []string) string {
	if len(settings) == 0 {
		return "no settings"
	}
	return "the settings " + strings.Join(settings, ", ")
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
