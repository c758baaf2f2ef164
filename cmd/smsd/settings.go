package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/config"
)

// settings are where commands read the settings from.
type settings struct{ environ []string }

const configFlag = "config"

// flags gives c a flag for the file and one for each setting.
func (s *settings) flags(c *cobra.Command) {
	c.Flags().SortFlags = false
	c.Flags().StringP(configFlag, "c", "", "YAML `FILE` of settings")
	for _, one := range config.Settings() {
		c.Flags().String(one.Flag(), "", flagHelp(one))
	}
}

// flagHelp describes a setting. Backquotes would name the flag's value: they are quotes in the manual.
func flagHelp(s config.Setting) string {
	kind, help := "VALUE", s.Help
	if s.Secret {
		kind, help = "FILE", "file that holds "+s.Key+": "+s.Help
	}
	fallback := s.Default
	if s.Unset != "" {
		fallback = s.Unset
	}
	return fmt.Sprintf("`%s`  %s (default: %s)", kind, strings.ReplaceAll(help, "`", ""), strings.ReplaceAll(fallback, "`", ""))
}

// read returns the effective settings and what to warn of. The error is every fault at once: of the settings, and
// of what they name.
func (s *settings) read(c *cobra.Command) (*config.Config, []string, error) {
	file, err := c.Flags().GetString(configFlag)
	if err != nil {
		return nil, nil, err
	}
	cfg, loaded := config.Load(config.Options{File: file, Environ: s.environ, Flags: givenFlags(c)})
	if cfg == nil {
		return nil, nil, loaded
	}
	warnings, checked := app.Check(cfg)
	return cfg, warnings, both(loaded, checked)
}

func givenFlags(c *cobra.Command) map[string]string {
	given := map[string]string{}
	for _, one := range config.Settings() {
		if name := one.Flag(); c.Flags().Changed(name) {
			given[name], _ = c.Flags().GetString(name) // it was defined as a string
		}
	}
	return given
}

// both makes one list of the faults of two errors.
func both(a, b error) error {
	var all config.Faults
	for _, err := range []error{a, b} {
		if faults, ok := errors.AsType[config.Faults](err); ok {
			all = append(all, faults...)
		} else if err != nil {
			return errors.Join(a, b)
		}
	}
	return all.Err()
}
