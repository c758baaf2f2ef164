package sqlstore_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/records"
)

// What docs/records.md asks in an attack is answered by both databases, with what the attack is: a range of numbers and a
// network that are sent to and never verify, and a rule that refuses them.
func TestTheQuestionsOfThePageAreAnswered(t *testing.T) {
	t.Parallel()
	questions := questionsOfThePage(t)
	wants := [][]string{
		{"ZZ|+99912345|20|40|20|0|0", "CN|+861380013|10|20|10|10|100"},
		{"pumped-019|20|20|1|0|0", "usual-009|10|10|1|10|100"},
		{"rate_limited|range-hour|ZZ|100|1|1|refused-019"},
		{"ZZ|+99912345|20|0"},
	}
	if len(questions) != len(wants) {
		t.Fatalf("the page has %d questions", len(questions))
	}
	for name, empty := range empties(t) {
		o := empty(t)
		db := open(t, o)
		if err := append1(t, db, attack(time.UnixMilli(1_000_000))); err != nil {
			t.Fatal(name, err)
		}
		for i, question := range questions {
			got, err := unopened(t, o).Ask(t.Context(), strings.ReplaceAll(question, ":since", "1000000"))
			if err != nil || !slices.Equal(got, wants[i]) {
				t.Errorf("%s: %q, %v, want %q, to\n%s", name, got, err, wants[i], question)
			}
			got, err = unopened(t, o).Ask(t.Context(), strings.ReplaceAll(question, ":since", "1000001"))
			if err != nil || len(got) != 0 {
				t.Errorf("%s, after it: %q, %v, to\n%s", name, got, err, question)
			}
		}
	}
}

func questionsOfThePage(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		all = append(all, strings.TrimSuffix(strings.TrimSpace(block[1]), ";"))
	}
	return all
}

// attack is 20 numbers of one range that nobody verifies, 10 of another that all do, and what is no message beside them: sends
// that did not leave, and one to a test number.
func attack(at time.Time) records.Batch {
	b := records.Batch{Writer: "writer", Seq: 1}
	add := func(kind string, n int, country, prefix string, fate records.Fate) {
		id := fmt.Sprintf("%s-%03d", kind, n)
		whom := records.Whom{Phone: records.Hash{kind[0], byte(n)}, Network: records.Hash{kind[0]}}
		b.Verifications = append(b.Verifications, records.Verification{
			SMSID: id, RequestID: id, Country: country, Prefix: prefix, Whom: whom, Sealed: []byte("s"), CreatedAt: at, ExpiresAt: at, Fate: fate,
		})
		sent := records.Decision{At: at, RequestID: id, SMSID: id, Action: "send", Outcome: "accepted", Country: country, Prefix: prefix, Whom: whom}
		if kind == "pumped" {
			sent.Shadow = []string{"range-hour-try"}
			refused := sent
			refused.RequestID, refused.Outcome, refused.Rule, refused.Shadow, refused.Folded = fmt.Sprintf("refused-%03d", n), "rate_limited", "range-hour", nil, 4
			b.Decisions = append(b.Decisions, refused)
		}
		b.Decisions = append(b.Decisions, sent)
	}
	for n := range 20 {
		add("pumped", n, "ZZ", "+99912345", records.Fate{Gateway: "mock", Delivery: "accepted", Resends: 1})
	}
	for n := range 10 {
		add("usual", n, "CN", "+861380013", records.Fate{Gateway: "mock", Delivery: "unknown", Resends: 1, VerifiedAt: at})
		add("failed", n, "GB", "+4474001", records.Fate{FailedAt: at, Failure: "temporary"})
		add("tester", n, "US", "+1202555", records.Fate{Gateway: "test", Delivery: "accepted"})
	}
	return b
}
