package httpapi

import (
	"os/exec"
	"testing"
)

// While the page waits for an answer no second request can be pressed, however slow the carrier is; then what may be pressed may.
func TestTryItPageAsksOnce(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	if out, err := exec.CommandContext(t.Context(), node, "testdata/try_page.mjs", "web/try.js").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
