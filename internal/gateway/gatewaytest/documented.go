package gatewaytest

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var codeInDocs = regexp.MustCompile("`([^`]+)`")

// Documented sees that the table of a vendor's section, in the Markdown file at path, has each of codes in the row of its reason,
// and no other, and that each can be told: users look there for what a code in their log means.
func Documented(t *testing.T, path, section string, codes map[string]gateway.Reason) {
	t.Helper()
	documented(t, path, section, "", codes)
}

// DocumentedReceipts is [Documented] for codes that come in receipts alone, whose rows begin with | `REASON`, in receipts |.
func DocumentedReceipts(t *testing.T, path, section string, codes map[string]gateway.Reason) {
	t.Helper()
	documented(t, path, section, ", in receipts", codes)
}

// documented compares codes with the rows that have mark behind the reason.
func documented(t *testing.T, path, section, mark string, codes map[string]gateway.Reason) {
	t.Helper()
	told := codesInDocs(t, path, section, mark)
	for code, reason := range codes {
		if told[code] != reason {
			t.Errorf("%s, %s%s: %s is %q there and %q in the driver", path, section, mark, code, told[code], reason)
		}
		if carrier.Word(code) != code {
			t.Errorf("%s would be withheld", code)
		}
	}
	for code := range told {
		if _, known := codes[code]; !known {
			t.Errorf("%s, %s%s: %s is not in the driver", path, section, mark, code)
		}
	}
}

// codesInDocs returns the codes of the last cell of each reason's row.
func codesInDocs(t *testing.T, path, section, mark string) map[string]gateway.Reason {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n## "+section+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	told := map[string]gateway.Reason{}
	for _, reason := range gateway.Reasons() {
		_, row, _ := strings.Cut(text, "\n| `"+string(reason)+"`"+mark+" | ")
		row, _, _ = strings.Cut(row, "\n")
		cells := strings.Split(strings.TrimSuffix(row, " |"), " | ")
		for _, found := range codeInDocs.FindAllStringSubmatch(cells[len(cells)-1], -1) {
			told[found[1]] = reason
		}
	}
	return told
}
