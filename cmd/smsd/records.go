package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/phone"
	"smsd/internal/records"
)

func newRecords(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "records",
		Short: "Export what was accepted and what was decided",
		Long:  "Export what was accepted and what was decided. docs/records.md says what is kept.",
		RunE:  group,
	}
	export := &cobra.Command{
		Use:   "export",
		Short: "Print records as CSV",
		Long: `Print records as CSV, newest first: the same file as format=csv on the admin listener gives. Numbers are
masked, and of every other subject there is a short keyed hash.`,
		RunE: group,
	}
	export.AddCommand(newRecordsExport(s, records.OfVerifications), newRecordsExport(s, records.OfDecisions))
	c.AddCommand(export)
	return c
}

// newRecordsExport is the command for one listing, with a flag for each of its filters.
func newRecordsExport(s *settings, of records.Listing) *cobra.Command {
	c := &cobra.Command{
		Use:   string(of),
		Short: fmt.Sprintf("Print the %s as CSV", of),
		Long: fmt.Sprintf(`Print the %s as CSV (RFC 4180), newest first. A cell that a spreadsheet would take for a formula has an
apostrophe in front. The settings are read as smsd serve reads them: the database and the secrets must be those
of the instances, which may run meanwhile.

Exit codes: 0 done, 1 something failed, and the file is cut off, 2 faults of the settings or of a filter.`, of),
		Example: fmt.Sprintf(`  smsd records export %s --from 2026-11-01 --until 2026-12-01 > november.csv
  smsd records export %s --phone +8613800138000`, of, of),
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.exportRecords(c, of) },
	}
	for _, f := range of.Filters() {
		c.Flags().Var(&flagText{kind: "TEXT"}, flagOf(f.Name), f.Help)
	}
	s.flags(c)
	return c
}

func flagOf(filter string) string { return strings.ReplaceAll(filter, "_", "-") }

func (s *settings) exportRecords(c *cobra.Command, of records.Listing) error {
	text := map[string]string{}
	for _, f := range of.Filters() {
		text[f.Name] = c.Flag(flagOf(f.Name)).Value.String()
	}
	return s.onRecords(c, func(ctx context.Context, r *app.Records) error {
		search, err := r.Search(of, text)
		if err != nil {
			return usageError{faultsOfFilters(of, err), c.CommandPath()}
		}
		return r.WriteCSV(ctx, bufio.NewWriter(c.OutOrStdout()), search)
	})
}

// faultsOfFilters names each by its flag, and says what that takes.
func faultsOfFilters(of records.Listing, err error) error {
	help := map[string]string{}
	for _, f := range of.Filters() {
		help[f.Name] = f.Help
	}
	faults, _ := errors.AsType[records.FilterFaults](err)
	var all []string
	for _, f := range faults {
		text := fmt.Sprintf("--%s: %v", flagOf(f.Name), f.Err)
		if !errors.Is(f, phone.ErrInvalid) && f.Known == nil { // these say it by themselves
			text += ": " + help[f.Name]
		}
		all = append(all, text)
	}
	return errors.New(strings.Join(all, "; "))
}
