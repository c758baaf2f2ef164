package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/config"
	"smsd/internal/gateway"
)

func newGatewayCheck(s *settings) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check [NAME...]",
		Short: "Ask carriers whether messages would go, without sending any",
		Long: `Ask the carriers of the named gateways, or of all, whether messages would go, without sending any. One line for
each thing that was looked at, with what was seen and what to do: ok, warning (it could not be asked, or wants attention
soon) or FINDING (messages will not go).

Asked is, as far as the carrier can be: whether it is there, by name and TLS; whether this machine's clock is right enough
for it; whether it takes the credentials; whether each signature and each template is approved, and has the variables that
would be sent; whether the sender is the account's; what is left of the account's money. What the key may not ask is a
warning that names the permission to give.

All gateways are asked at once, for 10 s at most.

Exit codes: 0 no finding, 1 findings, 2 faults of the settings.`,
		Example: `  smsd gateway check --config /etc/smsd.yaml
  smsd gateway check aliyun tencent --config /etc/smsd.yaml
  smsd gateway check --json | jq '.[] | select(.state != "ok")'`,
		RunE: func(c *cobra.Command, names []string) error { return s.checkGateways(c, names, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	s.flags(c)
	return c
}

func (s *settings) checkGateways(c *cobra.Command, names []string, asJSON bool) error {
	cfg, warnings, err := s.readFor(c, app.CheckGateways)
	warn(c, warnings)
	if err != nil {
		return err
	}
	if names, err = chosen(cfg, names); err != nil {
		return usageError{err, c.CommandPath()}
	}
	all, err := app.ExamineGateways(c.Context(), cfg, names)
	if err != nil {
		return err
	}
	show := printExamined
	if asJSON {
		show = printExaminedJSON
	}
	if err := show(c.OutOrStdout(), all); err != nil {
		return err
	}
	return badFindings(all)
}

// chosen returns the gateways of those names, each once; all of them if there are none.
func chosen(cfg *config.Config, names []string) ([]string, error) {
	have := app.GatewayNames(cfg)
	if len(names) == 0 {
		return have, nil
	}
	var once []string
	for _, name := range names {
		switch {
		case !slices.Contains(have, name):
			return nil, fmt.Errorf("no gateway %q; the settings have %s", name, strings.Join(have, ", "))
		case !slices.Contains(once, name):
			once = append(once, name)
		}
	}
	return once, nil
}

// state is what is printed for a grade.
func state(g gateway.Grade) string {
	switch g {
	case gateway.Good:
		return "ok"
	case gateway.Doubtful:
		return "warning"
	}
	return "FINDING"
}

func printExamined(w io.Writer, all []app.Examined) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range all {
		text := e.Text
		if e.Advice != "" {
			text += "; to do: " + e.Advice
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", state(e.Grade), e.Gateway, e.What, text)
	}
	return table.Flush()
}

// examined is a finding as --json writes it.
type examined struct {
	Gateway string `json:"gateway"`
	Check   string `json:"check"`
	State   string `json:"state"` // ok, warning or finding
	Seen    string `json:"seen"`
	Do      string `json:"do,omitempty"`
}

func printExaminedJSON(w io.Writer, all []app.Examined) error {
	list := []examined{}
	for _, e := range all {
		list = append(list, examined{e.Gateway, e.What, strings.ToLower(state(e.Grade)), e.Text, e.Advice})
	}
	return indented(w, list)
}

// badFindings is an error that counts them, or nil.
func badFindings(all []app.Examined) error {
	n := 0
	for _, e := range all {
		if e.Grade != gateway.Good && e.Grade != gateway.Doubtful {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return errors.New(plural(n, "finding"))
}
