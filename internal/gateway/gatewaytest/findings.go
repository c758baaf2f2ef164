package gatewaytest

import (
	"fmt"
	"strings"
	"testing"

	"smsd/internal/gateway"
)

// Findings writes what a [gateway.Examiner] found, a line each, as "bad signature 示例科技: rejected". It fails where a finding that is
// not good does not say what to do, where a good one does, and where one holds something of hidden.
func Findings(t *testing.T, all []gateway.Finding, hidden ...string) string {
	t.Helper()
	var out strings.Builder
	for _, f := range all {
		line := fmt.Sprintf("%s %s: %s", grades[f.Grade], f.What, f.Text)
		out.WriteString(line + "\n")
		if (f.Grade == gateway.Good) != (f.Advice == "") || f.Text == "" || f.What == "" {
			t.Errorf("%s: the advice is %q", line, f.Advice)
		}
		for _, h := range hidden {
			if strings.Contains(line+f.Advice, h) {
				t.Errorf("%s: it holds %s", line, h)
			}
		}
	}
	return out.String()
}

var grades = map[gateway.Grade]string{gateway.Good: "good", gateway.Doubtful: "doubtful", gateway.Bad: "bad"}

// Begun returns the first lines of [Findings] about a fake's account whose credentials are good: connection, clock and credentials.
func Begun() []string {
	return []string{"good connection: the carrier answers, on this machine, without TLS", "good clock: it is right to 30 s", "good credentials: they are taken"}
}

// WantFindings fails unless got, of [Findings], has these lines and no others.
func WantFindings(t *testing.T, got string, want ...string) {
	t.Helper()
	if got != strings.Join(want, "\n")+"\n" {
		t.Errorf("got\n%swant\n%s", got, strings.Join(want, "\n"))
	}
}

// WantFinding fails unless got, of [Findings], has that line, and n good ones.
func WantFinding(t *testing.T, got, want string, n int) {
	t.Helper()
	good := strings.Count("\n"+got, "\ngood ")
	if !strings.Contains("\n"+got, "\n"+want+"\n") || good != n {
		t.Errorf("want %s, and %d good lines; got %d in\n%s", want, n, good, got)
	}
}
