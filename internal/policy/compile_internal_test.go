package policy

import (
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"smsd/internal/throttle"
)

// A rule that throttle refuses though it was let through here is a fault of that rule's line.
func TestWhatOnlyTheCompilerRefuses(t *testing.T) {
	t.Parallel()
	r := &report{}
	at := func(line int, path string) place {
		return place{report: r, node: &yaml.Node{Line: line, Column: 5}, path: path, subject: `rule "b": `}
	}
	good := throttle.Rule{Name: "a", By: []throttle.Kind{throttle.IP}, Limit: 1, Window: time.Second}
	bad := throttle.Rule{Name: "b", By: []throttle.Kind{throttle.IP}, Limit: 1, Window: time.Millisecond}
	rules := []rule{{Rule: good, at: at(2, "limits[0]")}, {Rule: bad, at: at(3, "limits[1]")}}
	file{top: terms{at: at(1, ""), rules: rules}}.compile()
	if err := r.err(); err == nil || !strings.HasPrefix(err.Error(), `line 3, column 5: limits[1].window: rule "b": 1ms: must be `) || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}
