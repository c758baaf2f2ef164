// Command smsd sends and verifies SMS codes. See README.md, and smsd --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"smsd/internal/config"
)

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // something broke, or an examination found something
	exitUsage   = 2 // the settings, the policy or the command line are at fault
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// run is the whole program: it returns the exit code. It stops when ctx ends, or at a signal.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	command := newRoot(environ)
	command.SetArgs(args)
	command.SetOut(stdout)
	command.SetErr(stderr)
	err := command.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	return report(stderr, err)
}

// usageError is a command line that nobody understands.
type usageError struct {
	error
	command string // whose help explains it
}

func (e usageError) Unwrap() error { return e.error }

// report tells people what went wrong and what to do next, and returns the exit code.
func report(w io.Writer, err error) int {
	if usage, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintf(w, "smsd: %v\nSee: %s --help\n", err, usage.command)
		return exitUsage
	}
	if faults, ok := errors.AsType[config.Faults](err); ok {
		for _, f := range faults {
			fmt.Fprintf(w, "smsd: %v\n", f)
		}
		fmt.Fprintf(w, "%s. See: %s\n", plural(len(faults), "fault"), helpOf(err))
		return exitUsage
	}
	fmt.Fprintf(w, "smsd: %v\n", err)
	return exitFailure
}

// policyError is faults of a policy file.
type policyError struct{ error }

func (e policyError) Unwrap() error { return e.error }

// helpOf says where it is written how the file at fault must be.
func helpOf(err error) string {
	if _, ok := errors.AsType[policyError](err); ok {
		return "docs/policy.md, and smsd policy show for a file that is fine"
	}
	return "smsd serve --help"
}

// plural returns "1 scene", "2 scenes".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
