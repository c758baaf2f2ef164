package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"smsd/internal/apikey"
	"smsd/internal/app"
	"smsd/internal/config"
)

// keysTimeout bounds what a command waits for the database.
const keysTimeout = 30 * time.Second

func newKeys(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "keys",
		Short: "Create, list and revoke the API keys of apps",
		Long: `Create, list and revoke the API keys of apps. The settings are read as smsd serve reads them: the database
and the secret must be those of the instances, which may run meanwhile and need no restart.

A publishable key (pk_...) is for pages and apps on phones: send, resend and verify. A secret key (sk_...) is
for servers. docs/keys.md explains them.`,
		RunE: group,
	}
	c.AddCommand(newKeysCreate(s), newKeysList(s), newKeysRevoke(s))
	return c
}

// onKeys calls do with the keys that the settings name, as open opens them.
func (s *settings) onKeys(c *cobra.Command, open func(context.Context, *config.Config) (*app.Keys, error), do func(context.Context, *app.Keys) error) error {
	cfg, warnings, err := s.readData(c)
	warn(c, warnings)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context(), keysTimeout)
	defer cancel()
	keys, err := open(ctx, cfg)
	if err != nil {
		return err
	}
	return errors.Join(explained(c, do(ctx, keys)), keys.Close())
}

// explained says what to do about an error.
func explained(c *cobra.Command, err error) error {
	if faults, ok := errors.AsType[apikey.Faults](err); ok {
		return usageError{faults, c.CommandPath()}
	}
	if errors.Is(err, apikey.ErrNotFound) {
		return fmt.Errorf("%w of that app; smsd keys list names them", err)
	}
	return err
}

func newKeysRevoke(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "revoke ID",
		Short: "End a key at once and for good",
		Long: `End a key at once and for good: every instance refuses it within a second, or, while it can't reach the
database, as soon as it can again. To give its users time, make another one with smsd keys create --replaces.`,
		Example: `  smsd keys revoke k_3f9c2a71b0d4`,
		Args:    one("key's ID"),
		RunE: func(c *cobra.Command, args []string) error {
			return s.onKeys(c, app.OpenKeys, func(ctx context.Context, keys *app.Keys) error {
				if err := keys.Revoke(ctx, args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(c.OutOrStdout(), "%s is revoked\n", args[0])
				return err
			})
		},
	}
	s.flags(c)
	return c
}
