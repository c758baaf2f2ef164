package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot returns the command smsd, which alone is smsd serve.
func newRoot(environ []string) *cobra.Command {
	settings := &settings{environ: environ}
	root := newServe(settings)
	root.Use = "smsd"
	root.Short = "Sends and verifies SMS codes"
	root.Long = rootHelp
	root.Example = rootExample
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(flagFault)
	root.AddCommand(newServe(settings), newConfig(settings), newDoctor(settings), newGateway(settings), newKeys(settings), newMigrate(settings), newPolicy(settings), newRecords(settings), newSubject(settings), newTemplate(), newVersion())
	return root
}

const rootHelp = `smsd sends SMS verification codes, limits who may ask for them, and verifies what people type in.

Alone it is the same as smsd serve: it runs, and without any setting it keeps counters and codes in this
process, hands messages to an inbox instead of a carrier, and listens on loopback only.`

const rootExample = `  smsd                                     try it, with nothing else installed
  SMSD_REDIS_URL=redis://localhost smsd    counters and codes in Redis
  smsd --config /etc/smsd.yaml             with a file of settings
  smsd config check --config /etc/smsd.yaml`

// noArgs refuses arguments: for a group of commands, one that it does not have.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	what := "argument"
	if c.HasSubCommands() {
		what = "command"
	}
	return usageError{fmt.Errorf("unknown %s %q", what, args[0]), c.CommandPath()}
}

// one takes one argument alone, which is a what.
func one(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return usageError{fmt.Errorf("%s needs one %s, got %d", c.CommandPath(), what, len(args)), c.CommandPath()}
	}
}

// group is what a command does that is nothing without one of its own commands.
func group(c *cobra.Command, args []string) error {
	if err := noArgs(c, args); err != nil {
		return err
	}
	return usageError{fmt.Errorf("%s needs a command: %s", c.CommandPath(), commandsOf(c)), c.CommandPath()}
}

func commandsOf(c *cobra.Command) string {
	var names []string
	for _, one := range c.Commands() {
		names = append(names, one.Name())
	}
	return strings.Join(names, " or ")
}

// flagFault is of a flag that c does not take. A group takes none: more likely its command was forgotten, or mistyped.
func flagFault(c *cobra.Command, err error) error {
	if c.HasParent() && c.HasSubCommands() {
		err = fmt.Errorf("%w; %s needs a command before its flags: %s", err, c.CommandPath(), commandsOf(c))
	}
	return usageError{err, c.CommandPath()}
}
