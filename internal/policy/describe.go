package policy

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Describe writes what is in force for whom, inherited or not: the scenes and rules of every app without a section, and
// then of each with one. Of test numbers and blocks it tells only how many there are.
func Describe(w io.Writer, p *sms.Policy) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "every app"+without(p))
	describe(t, p, len(p.Blocks))
	for _, app := range slices.Sorted(maps.Keys(p.Apps)) {
		own := p.Apps[app]
		fmt.Fprintf(t, "\napp %s, with its own %s\n", app, strings.Join(own.Stated, ", "))
		describe(t, own, len(p.Blocks)+len(own.Blocks))
	}
	return t.Flush()
}

func without(p *sms.Policy) string {
	if len(p.Apps) == 0 {
		return ""
	}
	return " but " + strings.Join(slices.Sorted(maps.Keys(p.Apps)), ", ")
}

func describe(w io.Writer, p *sms.Policy, blocks int) {
	fmt.Fprintf(w, "  scenes: %s\n", strings.Join(slices.Sorted(maps.Keys(p.Scenes)), ", "))
	fmt.Fprintf(w, "  test numbers: %d, blocks: %d, local block: %s\n", len(p.TestNumbers), blocks, off(p.LocalBlock))
	for _, r := range p.Routes {
		fmt.Fprintf(w, "  route: %s\n", route{Route: r})
	}
	rules := InForce(p)
	if len(rules) == 0 {
		return
	}
	fmt.Fprint(w, "  rule\tby\tlimit\twindow\ton\talgorithm\tmode\n")
	for _, r := range rules {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Label(), list(r.By), amount(r), written(r.Window), r.On, r.Counting(), r.Mode)
	}
}

// InForce returns the rules of p that concern its scenes: those of every scene, then those of each. An app's set has rules
// over all apps beside them, of scenes that the app lacks.
func InForce(p *sms.Policy) []throttle.Rule {
	rules := slices.DeleteFunc(slices.Clone(p.Rules.Rules()), func(r throttle.Rule) bool { return r.Scene != "" && p.Scenes[r.Scene] == nil })
	slices.SortStableFunc(rules, func(a, b throttle.Rule) int { return strings.Compare(a.Scene, b.Scene) })
	return rules
}

func off(d time.Duration) string {
	if d == 0 {
		return "off"
	}
	return written(d)
}

func list(kinds []throttle.Kind) string {
	var words []string
	for _, k := range kinds {
		words = append(words, k.String())
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// amount is the limit, of a bucket with how many it takes at once.
func amount(r throttle.Rule) string {
	if n := r.Size(); n > 0 && n != r.Limit {
		return fmt.Sprintf("%d, burst %d", r.Limit, n)
	}
	return fmt.Sprint(r.Limit)
}
