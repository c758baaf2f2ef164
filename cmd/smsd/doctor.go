package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/store/redisstore"
)

func newDoctor(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Examine what the settings depend on: Redis, the database, the data folder",
		Long: `Examine what an instance with these settings would depend on, one line for each check, with what was
seen and, on a finding, what to do. The settings are read as smsd serve reads them.

Of each Redis, and of every server of it that holds keys: whether it answers, its version and role,
eviction policy, persistence, the clocks' difference, keys that never expire, and the permissions; the
slots of a cluster, whether sentinels agree, and the index secret. Beside those of smsd serve, the user
needs +info +scan +pttl and, to see snapshots, +config|get. Without Redis: whether the data folder
can be written, is in use, and holds what can be read.

Of the database: whether it answers, takes writes and keeps them on disk, the permissions, the clocks'
difference, and what its schema lacks.

It takes 10 s for each Redis at most, and changes nothing there: the permissions are tried as each start
tries them, with a key that is set and deleted within one step.

Exit codes: 0 no finding, 1 findings, 2 faults of the settings.`,
		Example: `  smsd doctor --config /etc/smsd.yaml
  SMSD_REDIS_URL=redis://localhost smsd doctor`,
		Args: noArgs,
		RunE: s.doctor,
	}
	s.flags(c)
	return c
}

func (s *settings) doctor(c *cobra.Command, _ []string) error {
	cfg, warnings, err := s.read(c)
	warn(c, warnings)
	if err != nil {
		return err
	}
	all := app.Examine(c.Context(), cfg)
	if err := printChecks(c.OutOrStdout(), all); err != nil {
		return err
	}
	return findings(all)
}

// printChecks writes one line for each check.
func printChecks(w io.Writer, all []app.Checked) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range all {
		text := c.Seen
		if c.Do != "" {
			text += "; to do: " + c.Do
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", c.State, c.Where, c.Check, text)
	}
	return table.Flush()
}

// findings is an error that counts them, or nil.
func findings(all []app.Checked) error {
	n := 0
	for _, c := range all {
		if c.State == redisstore.Finding {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return errors.New(plural(n, "finding"))
}
