package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/store/sqlstore"
)

func newMigrate(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database's schema up to date, or say what it lacks",
		Long: `Bring the database's schema up to date, or say what it lacks. The settings are read as smsd serve reads
them: the database is the PostgreSQL of database.url or, without one, SQLite in the data folder.

smsd serve does it by itself at its start. Do it before, where the instances' own user may not
change tables, or where it takes long. There is no way back but a copy from before.`,
		RunE: group,
	}
	up := &cobra.Command{
		Use:   "up",
		Short: "Apply what the database lacks",
		Long: `Apply what the database lacks, each step in a transaction of its own. Any number of processes may do
this at once: one does it, the others wait.

Exit codes: 0 up to date, 1 something failed, 2 faults of the settings.`,
		Example: `  SMSD_DATABASE_URL_FILE=/run/secrets/database smsd migrate up`,
		Args:    noArgs,
		RunE:    s.migrateUp,
	}
	status := &cobra.Command{
		Use:   "status",
		Short: "List what was applied and what is pending",
		Long: `List what was applied and what is pending, one line for each step. It changes nothing.

Exit codes: 0 nothing is pending, 1 something is, or failed, 2 faults of the settings.`,
		Example: `  smsd migrate status --config /etc/smsd.yaml`,
		Args:    noArgs,
		RunE:    s.migrateStatus,
	}
	s.flags(up)
	s.flags(status)
	c.AddCommand(up, status)
	return c
}

func (s *settings) migrateUp(c *cobra.Command, _ []string) error {
	cfg, warnings, err := s.readData(c)
	warn(c, warnings)
	if err != nil {
		return err
	}
	applied, err := app.MigrateUp(c.Context(), cfg)
	for _, m := range applied {
		fmt.Fprintf(c.OutOrStdout(), "applied %s\n", m.Name)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(c.OutOrStdout(), "the database is up to date")
	return nil
}

func (s *settings) migrateStatus(c *cobra.Command, _ []string) error {
	cfg, warnings, err := s.readData(c)
	warn(c, warnings)
	if err != nil {
		return err
	}
	all, err := app.Migrations(c.Context(), cfg)
	if err != nil {
		return err
	}
	pending, err := printMigrations(c.OutOrStdout(), all)
	if err != nil || pending == 0 {
		return err
	}
	return fmt.Errorf("%s of the schema pending; smsd migrate up applies it, and smsd serve does", plural(pending, "step"))
}

// printMigrations writes one line for each step, and counts those pending.
func printMigrations(w io.Writer, all []sqlstore.Migration) (pending int, err error) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, m := range all {
		if m.AppliedAt.IsZero() {
			pending++
			fmt.Fprintf(table, "pending\t%s\t\n", m.Name)
			continue
		}
		fmt.Fprintf(table, "applied\t%s\t%s\n", m.Name, m.AppliedAt.Format(time.RFC3339))
	}
	return pending, table.Flush()
}
