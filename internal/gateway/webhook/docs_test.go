package webhook_test

import (
	"os"
	"strings"
	"testing"
)

// The receiver of the manual is the one that these tests run.
func TestTheManualShowsThisReceiver(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("receiver_test.go")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../../docs/gateways.md")
	if err != nil {
		t.Fatal(err)
	}
	_, receiver, _ := strings.Cut(string(code), "type receiver struct")
	if receiver == "" || !strings.Contains(string(manual), "```go\ntype receiver struct"+receiver+"```\n") {
		t.Error("docs/gateways.md shows another receiver than receiver_test.go has")
	}
}
