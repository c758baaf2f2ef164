package gatewaytest_test

import (
	"os"
	"strings"
	"testing"
)

// What the manual shows to those who connect a carrier is what these tests run.
func TestTheManualShowsAcme(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("acme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../../docs/gateways.md")
	if err != nil {
		t.Fatal(err)
	}
	driver, test, _ := strings.Cut(string(code), "// refusals are")
	_, driver, _ = strings.Cut(driver, "// Gateway is an account")
	for _, shown := range []string{"// Gateway is an account" + strings.TrimRight(driver, "\n") + "\n", "// refusals are" + test} {
		if len(shown) < 500 || !strings.Contains(string(manual), "```go\n"+shown+"```\n") {
			t.Errorf("docs/gateways.md does not show what acme_test.go has: %.40s...", shown)
		}
	}
}
