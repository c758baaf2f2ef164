package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"smsd/internal/apikey"
	"smsd/internal/app"
	"smsd/internal/config"
)

// newKey is what smsd keys create is asked for, as it was given.
type newKey struct {
	app, kind, name, expires, replaces, overlap string
	origins                                     []string
}

func newKeysCreate(s *settings) *cobra.Command {
	var k newKey
	c := &cobra.Command{
		Use:   "create",
		Short: "Make a key, and print it this once",
		Long: `Make a key and print it this once, alone on standard output; what is stored is a keyed hash of it.

A publishable key with origins is for pages of those, one without for apps on phones: not for both. A key that
replaces another one is as that one where nothing else is said, and the other one ends after the overlap.`,
		Example: `  smsd keys create --app shop --kind publishable --origin https://shop.example
  smsd keys create --app shop --kind secret --name backend --expires 90d > key
  smsd keys create --replaces k_3f9c2a71b0d4 --overlap 48h > key`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.createKey(c, k) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&k.app, "app", "", "whose key it is: 1 to 64 of a-z, 0-9, - and _")
	f.StringVar(&k.kind, "kind", "", "publishable or secret")
	f.StringVar(&k.name, "name", "", "what people call it")
	f.StringSliceVar(&k.origins, "origin", nil, "of a publishable key: a web origin whose pages may use it, as https://shop.example; again for more")
	f.StringVar(&k.expires, "expires", "", "how long it works, as 90d or 12h (default: for good)")
	f.StringVar(&k.replaces, "replaces", "", "ID of the key whose place it takes")
	f.StringVar(&k.overlap, "overlap", "24h", "how long the replaced one works on")
	s.flags(c)
	return c
}

func (s *settings) createKey(c *cobra.Command, k newKey) error {
	d, err := k.draft(c.Flag("overlap").Changed, time.Now())
	if err != nil {
		return usageError{err, c.CommandPath()}
	}
	return s.onKeys(c, k.open, func(ctx context.Context, keys *app.Keys) error {
		key, r, err := keys.Create(ctx, d)
		if err != nil {
			return err
		}
		explainKey(c.ErrOrStderr(), r)
		explainMade(c.ErrOrStderr(), keys.Made)
		_, err = fmt.Fprintln(c.OutOrStdout(), key.Reveal())
		return err
	})
}

// open opens the keys. The first one may be made before the first start, and whoever makes it is told where.
func (k newKey) open(ctx context.Context, cfg *config.Config) (*app.Keys, error) {
	if k.replaces != "" {
		return app.OpenKeys(ctx, cfg)
	}
	return app.MakeKeys(ctx, cfg)
}

// draft reads what was given. What a replaced key may fill in may be missing.
func (k newKey) draft(overlaps bool, now time.Time) (apikey.Draft, error) {
	d := apikey.Draft{App: k.app, Name: k.name, Origins: k.origins, Replaces: k.replaces}
	var faults []error
	if k.kind != "" || k.replaces == "" {
		var err error
		d.Kind, err = apikey.ParseKind(k.kind)
		faults = append(faults, err)
	}
	if k.expires != "" {
		life, err := span("expires", k.expires)
		d.ExpiresAt, faults = now.Add(life), append(faults, err)
	}
	if k.replaces == "" && overlaps {
		faults = append(faults, errors.New("overlap: needs --replaces"))
	}
	if k.replaces != "" {
		var err error
		d.Overlap, err = span("overlap", k.overlap)
		faults = append(faults, err)
	}
	return d, errors.Join(faults...)
}

// maxSpan bounds what is taken for a span: a century.
const maxSpan = 100 * 365 * 24 * time.Hour

// span reads a duration, in days too.
func span(name, text string) (time.Duration, error) {
	wrong := fmt.Errorf("%s: must be a span of time, as 90d or 12h", name)
	if days, found := strings.CutSuffix(text, "d"); found {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > int(maxSpan/(24*time.Hour)) {
			return 0, wrong
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxSpan {
		return 0, wrong
	}
	return d, nil
}

// explainKey tells people what they have made.
func explainKey(w io.Writer, r apikey.Record) {
	use := "for servers: never put it where people can read it"
	switch {
	case len(r.Origins) > 0:
		use = "for pages of " + strings.Join(r.Origins, " and ")
	case r.Kind == apikey.Publishable:
		use = "for apps on phones, and no page; pages need a key with --origin"
	}
	fmt.Fprintf(w, "%s, a %s key of app %s, %s.\nIt is shown this once, and works on every instance within a second%s.\n", r.ID, r.Kind.Word(), r.App, use, until(r.ExpiresAt))
	if r.Replaces != "" {
		fmt.Fprintf(w, "It takes the place of %s: smsd keys list says when that one ends.\n", r.Replaces)
	}
}

// explainMade tells people who are in a folder other than the instance's that they are.
func explainMade(w io.Writer, file string) {
	if file != "" {
		fmt.Fprintf(w, "There was no database yet, and %s is made: only an instance with this data_dir knows the key.\n", file)
	}
}

func until(end time.Time) string {
	if end.IsZero() {
		return ""
	}
	return ", until " + end.Format(time.RFC3339)
}
