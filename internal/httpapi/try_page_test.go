package httpapi

import (
	"os/exec"
	"testing"
)

// While the page waits for an answer no second request can be pressed, however slow the carrier is; then what may be pressed may.
func TestTryItPageAsksOnce(t *testing.T) {
	t.Parallel()
	if exec.Command("node", "--input-type=module", "-e", "import 'node:timers/promises'").Run() != nil {
		t.Skip("no node that has promises of turns, as since its version 16")
	}
	if out, err := exec.CommandContext(t.Context(), "node", "testdata/try_page.mjs", "web/try.js").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
