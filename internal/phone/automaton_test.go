package phone

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"

	"github.com/nyaruka/phonenumbers/v2/metadata"
)

func mustAutomaton(t testing.TB, expressions ...string) *automaton {
	t.Helper()
	a, err := newAutomaton(expressions)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ofWhole are expressions as package regexp takes them, each for a whole text; nil for what matches nothing.
func ofWhole(expressions []string) []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(expressions))
	for i, text := range expressions {
		if text != "" {
			all[i] = regexp.MustCompile("^(?:" + text + ")$")
		}
	}
	return all
}

// sameAsRegexp fails unless a, which is of the same expressions, says of digits what package regexp says.
func sameAsRegexp(t testing.TB, a *automaton, all []*regexp.Regexp, digits string) (matching set) {
	t.Helper()
	for i, r := range all {
		if r != nil && r.MatchString(digits) {
			matching |= 1 << i
		}
	}
	if got := a.matching(digits); got != matching {
		t.Errorf("%q: %b, by package regexp %b", digits, got, matching)
	}
	return matching
}

func TestAutomaton(t *testing.T) {
	t.Parallel()
	expressions := []string{
		"", "1", "12|13", "(1)|0", "(?:12)*", "1{2,3}", `[2-4]\d{2}`, "^12$", "(?:1(?:2|3$))[0-9]*", "(?:([12]3)$|1)[0-9]*", "0?(?:1[^2]|2.)?",
		"1*?2", "1(?:2?3?)*", `\d+0`, "(?:)", "1$1", "1^1", "a|1", `1[[:alpha:]]?`,
	}
	a, all := mustAutomaton(t, expressions...), ofWhole(expressions)
	met := sameAsRegexp(t, a, all, "")
	for n := range 10_000 { // all texts of up to four of the digits that the expressions tell apart, and one that they do not
		met |= sameAsRegexp(t, a, all, strconv.Itoa(n))
		met |= sameAsRegexp(t, a, all, "0"+strconv.Itoa(n))
	}
	for i, text := range expressions {
		if never := text == "" || text == "1$1" || text == "1^1"; met.has(i) == never {
			t.Errorf("%q: a match was met: %t", text, met.has(i))
		}
	}
}

func TestWhatIsNoAutomaton(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`\b1`, `1\B`, "(", "[01]*1[01]{20}"} { // the last one remembers 20 digits: two to the twentieth states
		if _, err := newAutomaton([]string{"1", text}); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// Each expression of each region, on numbers that none of them would match by chance: every digit is one with which some may go on.
func TestPlansTellWhatTheirExpressionsTell(t *testing.T) {
	t.Parallel()
	random, matched, tried := rand.New(rand.NewPCG(3, 4)), 0, 0
	for code, plan := range plans {
		regions := plan.regions()
		if len(regions) == 0 {
			t.Errorf("+%s is left to the library", code)
		}
		for _, r := range regions {
			all := ofWhole(r.expressions(t, code))
			for range 30 {
				tried++
				if sameAsRegexp(t, r.plan, all, r.walk(random)) != 0 {
					matched++
				}
			}
		}
	}
	if matched < tried/3 {
		t.Errorf("%d of %d numbers matched anything", matched, tried)
	}
}

// expressions are those of a region, from the metadata.
func (r *region) expressions(t *testing.T, code string) []string {
	t.Helper()
	m, known := metadata.RegionMetadata(r.country)
	if r.country == World {
		n, _ := strconv.Atoi(code)
		m, known = metadata.NonGeoMetadata(n)
	}
	if !known {
		t.Fatal(code, r.country)
	}
	var texts []string
	for i, row := range rows {
		texts = append(texts, (&region{}).expression(i, row.of(m)))
	}
	return append(texts, beginning(m.GetNationalPrefixForParsing()), beginning(m.GetLeadingDigits()))
}

// walk returns digits of up to the longest number, most of them such that the automaton goes on, and that often end in a match.
func (r *region) walk(random *rand.Rand) string {
	var digits []byte
	state := uint16(start)
	for len(digits) < maxDigits && (r.plan.accepts[state] == 0 || random.IntN(3) > 0) {
		digit := random.IntN(10)
		for try := 0; r.plan.next[state][digit] == 0 && try < 30; try++ {
			digit = random.IntN(10)
		}
		digits, state = append(digits, '0'+byte(digit)), r.plan.next[state][digit]
	}
	return string(digits)
}
