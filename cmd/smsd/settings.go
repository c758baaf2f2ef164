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
	c.Flags().VarP(&flagText{kind: "FILE"}, configFlag, "c", "YAML of settings")
	for _, one := range config.Settings() {
		c.Flags().Var(&flagText{kind: flagKind(one)}, one.Flag(), flagHelp(one))
		if one.Switch() {
			c.Flag(one.Flag()).NoOptDefVal = "true"
		}
	}
}

// flagText is a flag's value as it was given. Kind is what help calls it.
type flagText struct{ text, kind string }

func (f *flagText) String() string     { return f.text }
func (f *flagText) Set(s string) error { f.text = s; return nil }
func (f *flagText) Type() string       { return f.kind }

func flagKind(s config.Setting) string {
	switch {
	case s.Secret:
		return "FILE"
	case s.Switch():
		return "BOOL"
	}
	return "VALUE"
}

// flagHelp describes a setting. Backquotes, which the manual has, would mean something else to pflag.
func flagHelp(s config.Setting) string {
	help, fallback := s.Help, s.Default
	if s.Secret {
		help = "file that holds " + s.Key
	}
	if s.Unset != "" {
		fallback = s.Unset
	}
	return strings.ReplaceAll(fmt.Sprintf("%s (default: %s)", help, fallback), "`", "")
}

// read returns the effective settings and what to warn of. The error is every fault at once: of the settings, and
// of what they name.
func (s *settings) read(c *cobra.Command) (*config.Config, []string, error) {
	return s.readFor(c, app.Check)
}

// readData is [settings.read] for a command that touches the data alone.
func (s *settings) readData(c *cobra.Command) (*config.Config, []string, error) {
	return s.readFor(c, app.CheckData)
}

func (s *settings) readFor(c *cobra.Command, check func(*config.Config) ([]string, error)) (*config.Config, []string, error) {
	cfg, loaded := config.Load(config.Options{
		File:    c.Flag(configFlag).Value.String(),
		Environ: s.environ,
		Flags:   givenFlags(c),
	})
	if cfg == nil {
		return nil, nil, loaded
	}
	warnings, checked := check(cfg)
	return cfg, warnings, both(loaded, checked)
}

func givenFlags(c *cobra.Command) map[string]string {
	given := map[string]string{}
	for _, one := range config.Settings() {
		if flag := c.Flag(one.Flag()); flag.Changed {
			given[flag.Name] = flag.Value.String()
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
