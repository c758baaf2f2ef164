package main

import (
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be smsd itself, so that what the tests start is the whole program, built
// as they are (under the race detector too), with real signals and a real exit code.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"smsd": main})
}

// Each testdata/script/*.txtar is one story: start, call, look. The commands beside testscript's own are in
// commands_test.go. With -update, cmp writes the golden texts anew.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               setup,
		Cmds:                commands(),
		UpdateScripts:       *update,
		Deadline:            time.Now().Add(6 * time.Minute), // so that a program which should end and does not is a failure before the package's time is up
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
