package config

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"smsd/internal/secret"
)

// atFault stands for a value that could not be read: to show the default that the setting fell back to would
// look as if somebody had given that.
const atFault = "(at fault)"

// Show writes every effective value and where it came from. Secrets are masked.
func (c *Config) Show(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range Settings() {
		shown := s.bind(c).show()
		switch {
		case c.faulty[s.Key]:
			shown = atFault
		case shown == "":
			shown = "(" + strings.ReplaceAll(s.Unset, "`", "") + ")" // every setting that may be empty says so
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Key, shown, c.origins[s.Key])
	}
	c.showGateways(table)
	return table.Flush()
}

// showGateways writes the blocks; only what every kind has, since who knows which of their other settings are secret.
func (c *Config) showGateways(w io.Writer) {
	var keys []string
	for key := range c.origins {
		if isGatewayKey(key) {
			keys = append(keys, key)
		}
	}
	for _, key := range slices.Sorted(slices.Values(keys)) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", key, c.shownGateway(key), c.origins[key])
	}
}

func (c *Config) shownGateway(key string) string {
	if c.faulty[key] {
		return atFault
	}
	for name, g := range c.Gateways {
		switch key {
		case "gateways." + name + ".kind":
			return g.Kind
		case "gateways." + name + ".rate":
			return rateValue{&g.Rate}.show()
		case "gateways." + name + ".burst":
			return strconv.Itoa(g.Burst)
		}
	}
	return secret.Mask
}
