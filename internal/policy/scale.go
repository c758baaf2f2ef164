package policy

import (
	"cmp"
	"maps"
	"slices"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// scale measures the texts of a scene.
type scale struct {
	scene  *sms.Scene
	prices sms.Prices
	named  []string // every gateway that a price names
	// dearest are, by gateway, what was worked out already.
	dearest map[string]map[string]sms.Money
}

func newScale(s *sms.Scene, prices sms.Prices) *scale {
	names := map[string]bool{}
	for _, p := range prices {
		maps.Copy(names, p.Gateways)
	}
	return &scale{s, prices, slices.Sorted(maps.Keys(names)), map[string]map[string]sms.Money{}}
}

// texts measures each text of the scene, and each wording of a gateway's own, in order.
func (c *scale) texts() (all []Text) {
	for tag, template := range c.scene.Templates.All() {
		for _, name := range append([]string{""}, template.Gateways()...) {
			all = append(all, c.text(tag, template, name))
		}
	}
	return all
}

func (c *scale) text(tag string, template sms.Template, name string) Text {
	t := Text{
		Scene: c.scene.Name, Locale: tag, Gateway: name,
		Measurement: gateway.Measure(c.scene.Longest(template, name).Text.Reveal()),
	}
	for _, price := range c.of(template, name) {
		t.Costs = append(t.Costs, price.Times(t.Segments))
	}
	slices.SortFunc(t.Costs, func(a, b sms.Money) int { return cmp.Compare(a.Currency, b.Currency) })
	t.Over = over(c.scene.Budget, t)
	return t
}

// of returns the dearest prices of a wording by currency: of the text for everybody, at whoever has no wording of its own.
func (c *scale) of(template sms.Template, name string) map[string]sms.Money {
	if name != "" {
		return c.at(name)
	}
	own, all := template.Gateways(), map[string]sms.Money{}
	for _, g := range append([]string{""}, c.named...) {
		if !slices.Contains(own, g) {
			dearer(all, c.at(g))
		}
	}
	return all
}

func (c *scale) at(name string) map[string]sms.Money {
	found, known := c.dearest[name]
	if !known {
		found = c.prices.Dearest(name, c.scene.Countries)
		c.dearest[name] = found
	}
	return found
}

// dearer takes over what is not in all, or more than there.
func dearer(all, more map[string]sms.Money) {
	for currency, m := range more {
		if known, there := all[currency]; !there || m.Micros > known.Micros {
			all[currency] = m
		}
	}
}

// currencies are those that a message of the scene can have its price in, in order.
func (c *scale) currencies() []string {
	var all []string
	for _, text := range c.texts() {
		for _, m := range text.Costs {
			all = append(all, m.Currency)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
