package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/phone"
)

// subjectFlags are those of a command about one number.
type subjectFlags struct{ region string }

func newSubject(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "subject",
		Short: "Export or erase what is kept about a number",
		Long: `Export or erase what is kept about a number, for its owner. The settings are read as smsd serve reads them:
the database and the secrets must be those of the instances, which may run meanwhile.

The number is written with its country code or, with --region, as people write it there; - is the first
line of standard input, so that nobody sees it among the machine's processes.`,
		RunE: group,
	}
	c.AddCommand(newSubjectExport(s), newSubjectErase(s))
	return c
}

func newSubjectExport(s *settings) *cobra.Command {
	f := &subjectFlags{}
	c := &cobra.Command{
		Use:   "export NUMBER",
		Short: "Print everything that the records hold about a number",
		Long: `Print everything that the records hold about a number, as one JSON object: its verifications and the
decisions about it, newest first, how many there are, and what is not among them. This is the only place
where records are told in clear. What was written under any secret in rotation is found.

Exit codes: 0 done, 1 something failed, and what was printed is no JSON, 2 faults of the settings.`,
		Example: `  smsd subject export +8613800138000 > their-data.json
  smsd subject export 13800138000 --region CN
  echo +8613800138000 | smsd subject export -`,
		Args: one("number"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.onSubject(c, f, args[0], exportSubject)
		},
	}
	f.add(s, c)
	return c
}

func newSubjectErase(s *settings) *cobra.Command {
	f := &subjectFlags{}
	c := &cobra.Command{
		Use:   "erase NUMBER",
		Short: "Erase a number from the records, and from Redis",
		Long: `Erase a number from the records, and from Redis, for good, and print a receipt: what was erased, and what
remains, and until when. Of the rows nothing is left that tells whose they are: neither the sealed number nor
its prefix, nor any keyed hash. They themselves stay, for counts and bills.

In Redis its codes are forgotten and its counters are emptied, so that its limits begin anew. Without Redis those
are the running instance's, are left alone, and end by themselves: the receipt says when.

Exit codes: 0 done, 1 something failed and may have been done in part: do it again, 2 faults of the settings.`,
		Example: `  smsd subject erase +8613800138000 > receipt.json`,
		Args:    one("number"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.onSubject(c, f, args[0], eraseSubject)
		},
	}
	f.add(s, c)
	return c
}

func (f *subjectFlags) add(s *settings, c *cobra.Command) {
	c.Flags().StringVar(&f.region, "region", "", "country (ISO 3166) whose national number it is")
	s.flags(c)
}

// onSubject calls do with the records that the settings name, and a number.
func (s *settings) onSubject(c *cobra.Command, f *subjectFlags, raw string, do func(context.Context, *app.Records, phone.Number, io.Writer) error) error {
	n, err := readNumber(c.InOrStdin(), raw, f.region)
	if err != nil {
		return usageError{err, c.CommandPath()}
	}
	return s.onRecords(c, func(ctx context.Context, r *app.Records) error { return do(ctx, r, n, c.OutOrStdout()) })
}

// onRecords calls do with the records that the settings name.
func (s *settings) onRecords(c *cobra.Command, do func(context.Context, *app.Records) error) error {
	cfg, warnings, err := s.readData(c)
	warn(c, warnings)
	if err != nil {
		return err
	}
	r, err := app.OpenRecords(c.Context(), cfg)
	if err != nil {
		return err
	}
	return errors.Join(do(c.Context(), r), r.Close())
}

// readNumber reads one as people write it; - is the first line of in.
func readNumber(in io.Reader, raw, region string) (phone.Number, error) {
	if raw != "-" {
		return phone.Parse(raw, region)
	}
	lines := bufio.NewScanner(in)
	lines.Scan() // without a line it is the empty number, which is none
	if err := lines.Err(); err != nil {
		return phone.Number{}, fmt.Errorf("standard input: %w", err)
	}
	return phone.Parse(lines.Text(), region)
}

func exportSubject(ctx context.Context, r *app.Records, n phone.Number, out io.Writer) error {
	_, err := r.Export(ctx, n, out)
	return err
}

func eraseSubject(ctx context.Context, r *app.Records, n phone.Number, out io.Writer) error {
	receipt, err := r.Erase(ctx, n)
	if err != nil {
		return err
	}
	return indented(out, receipt)
}
