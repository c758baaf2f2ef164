package throttle

import (
	"fmt"
	"testing"
)

func TestKindsHaveWordsOfTheirOwn(t *testing.T) {
	t.Parallel()
	if got := Kinds(); len(got) != kinds-1 || got[0] != Phone || got[len(got)-1] != kinds-1 {
		t.Errorf("%v", got)
	}
	owner := map[string]Kind{"": 0, "none": 0}
	for _, k := range Kinds() {
		if other, taken := owner[k.String()]; taken {
			t.Errorf("kind %d has the word %q of kind %d", k, k, other)
		}
		owner[k.String()] = k
	}
}

// Kinds without a letter, or of one letter, would share keys and so counters.
func TestKindsHaveLettersOfTheirOwn(t *testing.T) {
	t.Parallel()
	owner := map[byte]Kind{0: 0, 't': 0} // t: the one counter over all
	for _, k := range Kinds() {
		letter := kindTable[k].letter
		if k == Scene { // a mark on entries
			if letter != 0 {
				t.Errorf("scene has the letter %c, but is in no key", letter)
			}
			continue
		}
		if other, taken := owner[letter]; taken {
			t.Errorf("%s has the letter %q of %s", k, letter, other)
		}
		owner[letter] = k
	}
}

// A kind that is in no order of tags would have its keys beside those of the one counter over all.
func TestKindsTag(t *testing.T) {
	t.Parallel()
	tagged := map[Kind]Kind{Scene: 0, IP: IPNet} // on purpose not in tagOrder
	for _, k := range tagOrder {
		if _, twice := tagged[k]; twice {
			t.Errorf("%s is in the order of tags twice, or kept out of it", k)
		}
		tagged[k] = k
	}
	for _, k := range Kinds() {
		want, there := tagged[k]
		if got := keyKinds([]Kind{k}).tagKind(); !there || got != want {
			t.Errorf("%s is tagged by %s, want %s", k, got, want)
		}
	}
}

func TestSubjectsPrintWithoutIDs(t *testing.T) {
	t.Parallel()
	s := Subject{Phone, "+8613800138000"}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		if got := fmt.Sprintf(verb, s); got != "phone" {
			t.Errorf("%s: %s", verb, got)
		}
	}
	if got := fmt.Sprint(Subject{Kind: 200}); got != "none" {
		t.Error(got)
	}
}
