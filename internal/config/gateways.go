package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// gatewayName accepts what a gateway may be called.
func gatewayName(name string) error {
	if !gateway.IsName(name) {
		return errors.New("must be " + gateway.NameRule)
	}
	return nil
}

// isGatewaySection says whether key is "gateways" or "gateways.NAME".
func isGatewaySection(key string) bool {
	parts := strings.Split(key, ".")
	return parts[0] == "gateways" && len(parts) <= 2
}

// isGateway says whether key is "gateways.NAME".
func isGateway(key string) bool { return isGatewaySection(key) && key != "gateways" }

// isGatewayKey says whether key is "gateways.NAME.SETTING". Which settings there are is for the kind.
func isGatewayKey(key string) bool {
	parts := strings.Split(key, ".")
	return parts[0] == "gateways" && len(parts) == 3
}

// gatewaysValue is one gateway or several, comma-separated, each once.
type gatewaysValue struct{ p *[]string }

func (v gatewaysValue) set(text string) error {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if err := gatewayName(name); err != nil {
			return fmt.Errorf("%s: %w", given(name), err)
		}
		if slices.Contains(names, name) {
			return fmt.Errorf("%s: stands in it twice", given(name))
		}
		names = append(names, name)
	}
	if len(names) > gateway.MaxRoute {
		return fmt.Errorf("%s: must be at most %d gateways", given(text), gateway.MaxRoute)
	}
	*v.p = names
	return nil
}

func (v gatewaysValue) show() string { return strings.Join(*v.p, ",") }

// applyGateways reads the blocks of gateways, and sees that the chosen ones are there.
func (c *Config) applyGateways(effective layer) (faults Faults) {
	c.Gateways = map[string]Gateway{}
	for _, key := range sortedKeys(effective) {
		if !isGatewayKey(key) {
			continue
		}
		parts := strings.Split(key, ".")
		c.origins[key], c.faulty[key] = effective[key].origin, effective[key].faulty
		if !c.faulty[key] {
			faults = append(faults, c.setGateway(parts[1], parts[2], effective[key].text)...)
		}
	}
	faults = append(faults, c.burstsWithoutRate()...)
	for _, name := range c.Gateway {
		if _, found := c.Gateways[name]; !found {
			c.Gateways[name] = Gateway{Kind: name}
		}
	}
	for name, g := range c.Gateways {
		g.ReceiptsURL = c.receiptsURL(name)
		c.Gateways[name] = g
	}
	return faults
}

// burstsWithoutRate names the bursts that mean nothing.
func (c *Config) burstsWithoutRate() (faults Faults) {
	for _, name := range slices.Sorted(maps.Keys(c.Gateways)) {
		path := "gateways." + name
		if g := c.Gateways[name]; g.Burst > 0 && !c.given(path+".rate") {
			faults = append(faults, c.Fault(path+".burst", "needs a rate as well: how many messages a second"))
		}
	}
	return faults
}

// receiptsURL is where a gateway's carrier may report to, if anybody knows.
func (c *Config) receiptsURL(name string) string {
	if c.HTTP.PublicURL == "" {
		return ""
	}
	return c.HTTP.PublicURL + "/api/v1/gateways/" + name + "/receipts"
}

// setGateway sets one setting of a gateway; those of every kind are read here.
func (c *Config) setGateway(name, setting string, text secret.Text) (faults Faults) {
	g, found := c.Gateways[name]
	if !found {
		g = Gateway{Kind: name, Settings: map[string]secret.Text{}}
	}
	switch key := "gateways." + name + "." + setting; setting {
	case "kind":
		g.Kind = text.Reveal()
	case "rate":
		faults = c.take(key, rateValue{&g.Rate}, text.Reveal())
	case "burst":
		faults = c.take(key, wholeValue{&g.Burst, 1, maxRate, ""}, text.Reveal())
	default:
		g.Settings[setting] = text
	}
	c.Gateways[name] = g
	return faults
}

// GatewayAtFault says whether a setting of the gateway could not be read, which is a Fault already: what else is wrong with
// its settings nobody can tell then.
func (c *Config) GatewayAtFault(name string) bool {
	for key, faulty := range c.faulty {
		if faulty && strings.HasPrefix(key, "gateways."+name+".") {
			return true
		}
	}
	return false
}

func sortedKeys(l layer) []string {
	var keys []string
	for key := range l {
		keys = append(keys, key)
	}
	return slices.Sorted(slices.Values(keys))
}

// UnknownGateway returns the fault of a gateway whose kind is not among kinds: at its kind, at the block that gives none, or where
// a gateway is named that has no block.
func (c *Config) UnknownGateway(name string, kinds []string) Fault {
	g, path := c.Gateways[name], "gateways."+name+".kind"
	has := "this version has " + strings.Join(kinds, ", ")
	switch {
	case c.given(path):
		return c.Fault(path, given(g.Kind)+": no such kind of gateway; "+meantOr(g.Kind, kinds, has))
	case len(g.Settings) > 0:
		return Fault{Path: path, Origin: c.blockOrigin(name), Message: "must be given, since " + given(name) + " is no kind of gateway; " + has}
	}
	return c.Fault("gateway", given(name)+": neither a block of gateways nor a kind; "+meantOr(name, append(c.blocks(), kinds...), has))
}

// blockOrigin is where the first of a block's settings stands.
func (c *Config) blockOrigin(name string) (first Origin) {
	for key, origin := range c.origins {
		if strings.HasPrefix(key, "gateways."+name+".") && (first == Origin{} || origin.Line < first.Line) {
			first = origin
		}
	}
	return first
}

// blocks are the names of the gateways that have one, with a setting at least.
func (c *Config) blocks() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(c.Gateways)) {
		if c.Gateways[name].Settings != nil {
			names = append(names, name)
		}
	}
	return names
}

// UnknownSetting returns the fault of a setting that a gateway of its kind, which has those known, has not.
func (c *Config) UnknownSetting(name, setting string, known []string) Fault {
	all := append(slices.Clone(known), "kind", "rate", "burst")
	has := "a gateway of kind " + c.Gateways[name].Kind + " has the settings " + strings.Join(all, ", ")
	return c.Fault("gateways."+name+"."+setting, "unknown; "+meantOr(setting, all, has))
}
