package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"smsd/internal/apikey"
	"smsd/internal/app"
)

func newKeysList(s *settings) *cobra.Command {
	var only string
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the keys, newest first",
		Long:  `List the keys, newest first, those that have ended too. The last use is written down at most once a minute.`,
		Example: `  smsd keys list --app shop
  smsd keys list --json | jq '.[] | select(.state == "live")'`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.onKeys(c, app.OpenKeys, func(ctx context.Context, keys *app.Keys) error {
				all, err := keys.List(ctx, only)
				if err != nil {
					return err
				}
				if asJSON {
					return printKeysJSON(c.OutOrStdout(), all, time.Now())
				}
				return printKeys(c.OutOrStdout(), all, time.Now())
			})
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&only, "app", "", "only those of this app")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	s.flags(c)
	return c
}

// printKeys writes a table for people.
func printKeys(w io.Writer, all []apikey.Record, now time.Time) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tAPP\tKIND\tKEY\tSTATE\tCREATED\tLAST USED\tEXPIRES\tORIGINS\tNAME")
	for _, r := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.App, r.Kind.Word(), r.Masked(), r.State(now),
			instant(r.CreatedAt), instant(r.LastUsedAt), instant(r.ExpiresAt), orDash(strings.Join(r.Origins, ",")), orDash(r.Name))
	}
	return table.Flush()
}

// instant is a moment as people read it; the zero Time is never.
func instant(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// listedKey is a key as --json writes it.
type listedKey struct {
	ID         string       `json:"id"`
	App        string       `json:"app"`
	Kind       string       `json:"kind"`
	Name       string       `json:"name"`
	Hint       string       `json:"hint"`
	Origins    []string     `json:"origins"`
	State      apikey.State `json:"state"`
	Replaces   string       `json:"replaces,omitempty"`
	CreatedAt  time.Time    `json:"created_at"`
	LastUsedAt *time.Time   `json:"last_used_at"`
	ExpiresAt  *time.Time   `json:"expires_at"`
	RevokedAt  *time.Time   `json:"revoked_at"`
}

func printKeysJSON(w io.Writer, all []apikey.Record, now time.Time) error {
	listed := []listedKey{}
	for _, r := range all {
		listed = append(listed, listedKey{
			ID: r.ID, App: r.App, Kind: r.Kind.Word(), Name: r.Name, Hint: r.Hint, Origins: append([]string{}, r.Origins...), State: r.State(now),
			Replaces: r.Replaces, CreatedAt: r.CreatedAt.UTC(), LastUsedAt: orNull(r.LastUsedAt), ExpiresAt: orNull(r.ExpiresAt), RevokedAt: orNull(r.RevokedAt),
		})
	}
	return indented(w, listed)
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
