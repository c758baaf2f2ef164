package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"smsd/internal/app"
	"smsd/internal/gateway"
	"smsd/internal/policy"
)

func newTemplate() *cobra.Command {
	c := &cobra.Command{
		Use:   "template",
		Short: "Measure the texts of messages: segments, encoding, cost",
		RunE:  group,
	}
	c.AddCommand(newLint())
	return c
}

// lint is what smsd template lint was asked.
type lint struct {
	text   string // "": those of a policy
	asJSON bool
}

func newLint() *cobra.Command {
	l := &lint{}
	c := &cobra.Command{
		Use:   "lint [FILE]",
		Short: "Show what each text takes, and which character makes it dear",
		Long: `Show what each text of a policy file takes, or of the built-in policy without one: its encoding, its units, the
segments that a carrier bills, the units left in the last of them, what it costs where the policy's prices tell, and
the character that forced it into UCS-2. Each text is measured at the longest that a message of it can be: a code of
all its digits, all the minutes of its life, signature and last line, by language and, where a gateway says it in
its own way, by gateway. What is over its scene's budget is marked.

With --text one text is measured as it is; {{.Code}} and {{.Minutes}} in it stand for six digits and one.

Exit codes: 0 within the budgets, 1 over one, 2 faults of the file.`,
		Example: `  smsd template lint policy.yaml
  smsd template lint --text "{{.Code}} is your code. Don't share it."
  smsd template lint policy.yaml --json | jq '.[] | select(.segments > 1)'`,
		Args: oneFileAtMost,
		RunE: l.run,
	}
	c.Flags().StringVar(&l.text, "text", "", "measure this `TEXT` alone")
	c.Flags().BoolVar(&l.asJSON, "json", false, "as JSON")
	return c
}

func (l *lint) run(c *cobra.Command, args []string) error {
	texts, err := l.texts(c, args)
	if err != nil {
		return err
	}
	print := printTexts
	if l.asJSON {
		print = printTextsJSON
	}
	if err := print(c.OutOrStdout(), texts); err != nil {
		return err
	}
	return overBudget(texts)
}

func (l *lint) texts(c *cobra.Command, args []string) ([]policy.Text, error) {
	free := c.Flags().Changed("text")
	switch {
	case free && len(args) > 0:
		return nil, usageError{errors.New("smsd template lint measures a file or a text, not both"), c.CommandPath()}
	case free:
		text, err := policy.Filled(l.text)
		if err != nil {
			return nil, usageError{err, c.CommandPath()}
		}
		return []policy.Text{{Measurement: gateway.Measure(text)}}, nil
	}
	file := ""
	if len(args) > 0 {
		file = args[0]
	}
	texts, err := app.LintPolicy(file)
	if err != nil {
		return nil, policyError{err}
	}
	return texts, nil
}

// overBudget is an error that counts the texts that are over one, or nil.
func overBudget(texts []policy.Text) error {
	n := 0
	for _, t := range texts {
		if len(t.Over) > 0 {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s over budget", plural(n, "text"))
}
