package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/phone"
)

// testFlags are those of smsd gateway send-test.
type testFlags struct {
	to, scene, locale string
	yes, asJSON       bool
}

func newGatewaySendTest(s *settings) *cobra.Command {
	f := &testFlags{}
	c := &cobra.Command{
		Use:   "send-test [NAME] --to NUMBER",
		Short: "Send one real message through a gateway, and say what became of it",
		Long: `Send one real message through the named gateway, or through the one that the setting gateway names, and say what became
of it: that the carrier took it, with its id of the message; or why not, whether it may have been sent all the same, and
what to do. The text is the scene's own; the code in it is drawn for it, kept nowhere, and verifies nothing.

It costs what a message costs, so it asks before it sends. No other gateway is tried. The message is neither counted
against any limit nor recorded, and the policy's countries and blocks are not looked at: send it to a phone of your own.

The number is written with its country code; - is the first line of standard input, so that nobody sees it among the
machine's processes.

Exit codes: 0 the carrier took it, 1 it did not, or nobody can tell, or it was not confirmed, 2 faults of the settings or of
the command line.`,
		Example: `  smsd gateway send-test aliyun --to +8613800138000 --config /etc/smsd.yaml
  smsd gateway send-test --to +14155550100 --scene payment --locale en
  echo +8613800138000 | smsd gateway send-test tencent --to - --yes --json`,
		Args: oneGatewayAtMost,
		RunE: func(c *cobra.Command, args []string) error { return s.sendTest(c, f, args) },
	}
	c.Flags().StringVar(&f.to, "to", "", "the number, as +8613800138000; required")
	c.Flags().StringVar(&f.scene, "scene", "login", "the scene whose text is sent")
	c.Flags().StringVar(&f.locale, "locale", "", "the language of the text (BCP 47), as zh-CN (default: the scene's first)")
	c.Flags().BoolVarP(&f.yes, "yes", "y", false, "send without asking")
	c.Flags().BoolVar(&f.asJSON, "json", false, "as JSON")
	s.flags(c)
	return c
}

func oneGatewayAtMost(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return one("gateway")(c, args)
	}
	return nil
}

func (s *settings) sendTest(c *cobra.Command, f *testFlags, args []string) error {
	m, err := f.message(c.InOrStdin(), args)
	if err != nil {
		return usageError{err, c.CommandPath()}
	}
	cfg, warnings, err := s.readFor(c, app.CheckGateways)
	warn(c, warnings)
	if err != nil {
		return err
	}
	trial, err := app.PrepareTest(cfg, m)
	if err != nil {
		return usageError{err, c.CommandPath()}
	}
	if err := f.confirm(c, trial, m.To); err != nil {
		return err
	}
	id, failure := trial.Send(c.Context())
	fate := fateOf(trial, m, id, failure)
	if err := fate.print(c.OutOrStdout(), f.asJSON); err != nil {
		return err
	}
	if failure != nil {
		return errors.New("the carrier has not said that it took the message")
	}
	return nil
}

// message is what the flags ask for.
func (f *testFlags) message(in io.Reader, args []string) (app.TestMessage, error) {
	if f.to == "" {
		return app.TestMessage{}, errors.New("--to is needed: the number of a phone of your own, as +8613800138000")
	}
	to, err := readNumber(in, f.to, "")
	if err != nil {
		return app.TestMessage{}, fmt.Errorf("--to: %w", err)
	}
	m := app.TestMessage{To: to, Scene: f.scene, Locale: f.locale}
	if len(args) > 0 {
		m.Gateway = args[0]
	}
	return m, nil
}

// maxReply bounds what is read of the reply, in bytes.
const maxReply = 64

// confirm asks whether to send, since it costs money.
func (f *testFlags) confirm(c *cobra.Command, t *app.Trial, to phone.Number) error {
	if f.yes {
		return nil
	}
	in := c.InOrStdin()
	if !isTerminal(in) {
		return usageError{errors.New("nothing was sent: it costs money, and there is no terminal to ask on; give --yes"), c.CommandPath()}
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s\nSend this to %s through gateway %s, at its price? [y/N] ", t.Text, to, t.Gateway)
	reply, _ := bufio.NewReader(io.LimitReader(in, maxReply)).ReadString('\n') // what can't be read is no
	if reply = strings.ToLower(strings.TrimSpace(reply)); reply != "y" && reply != "yes" {
		return errors.New("nothing was sent: it was not confirmed; --yes sends without asking")
	}
	return nil
}

func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
