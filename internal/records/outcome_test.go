package records_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"smsd/internal/records"
)

// The page explains each outcome that can be asked for, in the same order, and no other.
func TestThePageExplainsEveryOutcome(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| `outcome` | what happened |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var explained []string
	for _, row := range strings.Split(table, "\n") {
		for _, word := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			explained = append(explained, word[1])
		}
	}
	if !slices.Equal(explained, records.Outcomes()) {
		t.Errorf("the page explains %q, and there are %q", explained, records.Outcomes())
	}
}
