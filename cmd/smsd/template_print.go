package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"smsd/internal/gateway"
	"smsd/internal/policy"
	"smsd/internal/sms"
)

// printTexts writes a table of the columns that say something, and below it what is over a budget.
func printTexts(w io.Writer, texts []policy.Text) error {
	columns := shownColumns(texts)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	var heads []string
	for _, c := range columns {
		heads = append(heads, c.head)
	}
	fmt.Fprintln(table, strings.Join(heads, "\t"))
	for _, t := range texts {
		var cells []string
		for _, c := range columns {
			cells = append(cells, cmp.Or(c.of(t), c.blank))
		}
		fmt.Fprintln(table, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return printOver(w, texts)
}

func printOver(w io.Writer, texts []policy.Text) error {
	for _, t := range texts {
		for _, what := range t.Over {
			if _, err := fmt.Fprintf(w, "over budget: %s: %s\n", whose(t), what); err != nil {
				return err
			}
		}
	}
	return nil
}

// whose names a text, as "app shop, login, en, by aliyun".
func whose(t policy.Text) string {
	name := t.Scene + ", " + t.Locale
	if t.App != "" {
		name = "app " + t.App + ", " + name
	}
	if t.Gateway != "" {
		name += ", by " + t.Gateway
	}
	return name
}

type textColumn struct {
	head string
	of   func(policy.Text) string
	// optional columns are left out where no text has anything there; blank stands for that where another one has.
	optional bool
	blank    string
}

var textColumns = []textColumn{
	{"APP", func(t policy.Text) string { return t.App }, true, "any other"},
	{"SCENE", func(t policy.Text) string { return t.Scene }, true, ""},
	{"LOCALE", func(t policy.Text) string { return t.Locale }, true, ""},
	{"GATEWAY", func(t policy.Text) string { return t.Gateway }, true, "any other"},
	{"ENCODING", func(t policy.Text) string { return string(t.Encoding) }, false, ""},
	{"UNITS", func(t policy.Text) string { return fmt.Sprint(t.Units) }, false, ""},
	{"SEGMENTS", func(t policy.Text) string { return fmt.Sprint(t.Segments) }, false, ""},
	{"LEFT", func(t policy.Text) string { return fmt.Sprint(t.Left) }, false, ""},
	{"COSTS UP TO", func(t policy.Text) string { return amounts(t.Costs) }, true, "not known"},
	{"BUDGET", func(t policy.Text) string { return mark(t) }, true, ""},
	{"UCS-2 BECAUSE OF", func(t policy.Text) string { return because(t.Foreign) }, true, ""},
}

func shownColumns(texts []policy.Text) (shown []textColumn) {
	for _, c := range textColumns {
		said := !c.optional
		for _, t := range texts {
			said = said || c.of(t) != ""
		}
		if said {
			shown = append(shown, c)
		}
	}
	return shown
}

func amounts(all []sms.Money) string {
	var words []string
	for _, m := range all {
		words = append(words, m.String())
	}
	return strings.Join(words, ", ")
}

func mark(t policy.Text) string {
	if len(t.Over) > 0 {
		return "over"
	}
	return ""
}

// because says what forced a text into UCS-2, where it stands in the message, and what to write instead.
func because(f gateway.Foreign) string {
	if f.IsZero() {
		return ""
	}
	text := fmt.Sprintf("%s at line %d, column %d", f, f.Line, f.Column)
	if f.Count > 1 {
		text += fmt.Sprintf(", and %d more", f.Count-1)
	}
	if advice := f.Advice(); advice != "" {
		text += ": " + advice
	}
	return text
}
