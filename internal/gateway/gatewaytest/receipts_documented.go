package gatewaytest

import (
	"os"
	"strings"
	"testing"

	"smsd/internal/gateway"
)

// DocumentedReceipts is [Documented] for codes that come in receipts alone, whose rows begin with | `REASON`, in receipts |.
func DocumentedReceipts(t *testing.T, path, section string, codes map[string]gateway.Reason) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	told := map[string]gateway.Reason{}
	for _, reason := range gateway.Reasons() {
		_, row, _ := strings.Cut(text, "\n| `"+string(reason)+"`, in receipts | ")
		row, _, _ = strings.Cut(row, "\n")
		for _, found := range codeInDocs.FindAllStringSubmatch(row, -1) {
			told[found[1]] = reason
		}
	}
	for code, reason := range codes {
		if told[code] != reason {
			t.Errorf("%s, %s: in receipts %s is %q there and %q in the driver", path, section, code, told[code], reason)
		}
	}
	for code := range told {
		if _, known := codes[code]; !known {
			t.Errorf("%s, %s: in receipts %s is not in the driver", path, section, code)
		}
	}
}
