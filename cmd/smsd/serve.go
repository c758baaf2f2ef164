package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"smsd/internal/app"
)

func newServe(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the service",
		Long: `Run the service until SIGTERM or SIGINT, which answer what has arrived and then stop; a second one
stops at once. SIGHUP reads the policy file again.

A setting comes from the last of these that gives it: its default, the file, the environment, the flags.
The table of them is in docs/settings.md.`,
		Example: `  smsd serve
  smsd serve --config /etc/smsd.yaml
  smsd serve --http-listen :8080 --policy-file policy.yaml
  SMSD_REDIS_URL_FILE=/run/secrets/redis smsd serve`,
		Args: noArgs,
		RunE: s.serve,
	}
	s.flags(c)
	return c
}

func (s *settings) serve(c *cobra.Command, _ []string) error {
	signals := make(chan os.Signal, 8) // more than anybody sends before the first is read
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer signal.Stop(signals)
	cfg, _, err := s.read(c)
	if err != nil {
		return err
	}
	a, err := app.New(cfg, app.Options{Out: c.OutOrStdout(), Logger: app.NewLogger(cfg.Log, c.ErrOrStderr())})
	if err != nil {
		return err
	}
	app.TuneMemory(cfg)
	return a.Run(c.Context(), signals)
}
