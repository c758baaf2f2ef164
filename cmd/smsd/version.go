package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the Makefile: -ldflags "-X main.version=v1.2.3".
var version = ""

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, commit and Go version",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprintln(c.OutOrStdout(), versionLine(version, info))
			return err
		},
	}
}

// versionLine returns "smsd v1.2.3 (commit 1234567890ab) go1.26.0 linux/amd64". info may be nil.
func versionLine(version string, info *debug.BuildInfo) string {
	commit := "unknown"
	if info != nil {
		if version == "" {
			version = info.Main.Version
		}
		commit = commitOf(info)
	}
	if version == "" {
		version = "(devel)"
	}
	return fmt.Sprintf("smsd %s (commit %s) %s %s/%s", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commitOf returns the first 12 digits of the commit, and whether the tree was changed since.
func commitOf(info *debug.BuildInfo) string {
	commit, changed := "unknown", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = ", changed"
			}
		}
	}
	return commit + changed
}
