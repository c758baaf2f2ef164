package config

import (
	"fmt"
	"strings"
)

// Manual returns the table of every setting in Markdown, as it stands in docs/settings.md.
func Manual() string {
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
