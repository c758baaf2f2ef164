package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newConfig(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Check or show the settings",
		Long:  "Check or show the settings, read as smsd serve reads them: defaults, file, environment, flags.",
		RunE:  group,
	}
	check := &cobra.Command{
		Use:   "check",
		Short: "Name every fault of the settings at once",
		Long: `Name every fault of the settings, and of the policy file that they name, each with its path and line.
Nothing is started and nothing is connected to.

Exit codes: 0 no fault, 2 faults.`,
		Example: `  smsd config check --config /etc/smsd.yaml
  SMSD_PROFILE=production smsd config check`,
		Args: noArgs,
		RunE: s.check,
	}
	show := &cobra.Command{
		Use:     "show",
		Short:   "Show every effective value and where it came from",
		Long:    "Show every effective value and where it came from. Secrets are hidden.",
		Example: `  smsd config show --config /etc/smsd.yaml`,
		Args:    noArgs,
		RunE:    s.show,
	}
	s.flags(check)
	s.flags(show)
	c.AddCommand(check, show)
	return c
}

func (s *settings) check(c *cobra.Command, _ []string) error {
	cfg, warnings, err := s.read(c)
	warn(c, warnings)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "the settings are fine, for profile %s\n", cfg.Profile)
	return nil
}

// show shows what could be read, faults or not: that is when people look.
func (s *settings) show(c *cobra.Command, _ []string) error {
	cfg, _, err := s.read(c)
	if cfg == nil {
		return err
	}
	if failed := cfg.Show(c.OutOrStdout()); failed != nil {
		return failed
	}
	return err
}

func warn(c *cobra.Command, warnings []string) {
	for _, w := range warnings {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %s\n", w)
	}
}
