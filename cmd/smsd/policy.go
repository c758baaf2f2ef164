package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/config"
	"smsd/internal/policy"
	"smsd/internal/sms"
)

func newPolicy(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "Check a policy file, or print the built-in one",
		RunE:  group,
	}
	check := &cobra.Command{
		Use:   "check FILE",
		Short: "Name every fault of a policy file at once",
		Long: `Name every fault of a policy file at once, each with its path and line, and warn of what is allowed but
hardly meant, as a rule that can never bind. A file without a fault is summed up, with a line for each app that has
terms of its own. The file "-" is standard input. With --config it is also seen that the gateways which its routes
name are there, and that the profile takes the file.

Exit codes: 0 no fault, 2 faults.`,
		Example: `  smsd policy check policy.yaml
  smsd policy check --config /etc/smsd.yaml policy.yaml
  git show HEAD:policy.yaml | smsd policy check -`,
		Args: one("file"),
		RunE: s.checkPolicy,
	}
	check.Flags().VarP(&flagText{kind: "FILE"}, configFlag, "c", "YAML of the settings of the instance that the policy is for")
	show := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Print the built-in policy, a start for one's own; or what a file says of each app",
		Long: `Print the built-in policy, a start for one's own. Of a file, print the scenes and limits that are in force for each
app that has a section, and for all that have none: what a section leaves out it has from the top of the file. The
file "-" is standard input.

Exit codes: 0 no fault, 2 faults.`,
		Example: `  smsd policy show > policy.yaml
  smsd policy show policy.yaml`,
		Args: oneFileAtMost,
		RunE: showPolicy,
	}
	c.AddCommand(check, show)
	return c
}

func oneFileAtMost(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return one("file")(c, args)
	}
	return nil
}

func showPolicy(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		_, err := c.OutOrStdout().Write(policy.BuiltInText())
		return err
	}
	p, _, err := app.CheckPolicy(args[0], c.InOrStdin())
	if err != nil {
		return policyError{err}
	}
	return policy.Describe(c.OutOrStdout(), p)
}

func (s *settings) checkPolicy(c *cobra.Command, args []string) error {
	p, warnings, err := s.policy(c, args[0])
	warn(c, warnings)
	if err != nil {
		return policyError{err}
	}
	fmt.Fprintf(c.OutOrStdout(), "%s is fine: version %s, %s\n", policyName(args[0]), p.Version, size(p))
	for _, app := range slices.Sorted(maps.Keys(p.Apps)) {
		own := p.Apps[app]
		fmt.Fprintf(c.OutOrStdout(), "app %s: %s; its own: %s\n", app, size(own), strings.Join(own.Stated, ", "))
	}
	return nil
}

// policyName is what people call the file of an argument.
func policyName(file string) string {
	if file == "-" {
		return app.StandardInput
	}
	return file
}

// policy reads a policy file for the instance whose settings were named, if they were.
func (s *settings) policy(c *cobra.Command, file string) (*sms.Policy, []string, error) {
	from := c.Flag(configFlag)
	if !from.Changed {
		return app.CheckPolicy(file, c.InOrStdin())
	}
	cfg, err := config.Load(config.Options{File: from.Value.String(), Environ: s.environ})
	if err != nil {
		return nil, nil, err
	}
	return app.CheckPolicyFor(cfg, file, c.InOrStdin())
}

// size says how many scenes and limits are in force, inherited ones included.
func size(p *sms.Policy) string {
	return plural(len(p.Scenes), "scene") + ", " + plural(len(policy.InForce(p)), "limit")
}
