package config

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// manual is the table of every setting in Markdown, as it stands in docs/settings.md.
func manual() string {
	var b strings.Builder
	b.WriteString("| file key | environment | flag | default | what it is |\n|---|---|---|---|---|\n")
	for _, s := range Settings() {
		env := code(s.Env)
		if s.Secret {
			env += ", " + code(s.Env+"_FILE")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", code(s.Key), env, code("--"+s.Flag()), s.fallback(), s.Help)
	}
	return b.String()
}

func (s Setting) fallback() string {
	if s.Unset != "" {
		return s.Unset
	}
	return code(s.Default)
}

func code(text string) string { return "`" + text + "`" }

func TestTheManualIsTrue(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../../docs/settings.md", "<!-- settings: begin -->\n", "<!-- settings: end -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	table, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s: no table between %q and %q", path, begin, end)
	}
	if table == manual() {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date; run: go test ./internal/config -run TestTheManualIsTrue -update", path)
	}
	if err := os.WriteFile(path, []byte(before+begin+manual()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
