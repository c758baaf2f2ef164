package policy

import (
	"strconv"
	"strings"
	"unicode"

	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/sms"
)

// maxName is the longest name of a scene or a rule: it becomes a metric label, part of a path, a word in a log.
const maxName = 64

const nameRule = "must be 1 to 64 of a-z, 0-9, - and _"

func isName(s string) bool {
	return 0 < len(s) && len(s) <= maxName && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// shown is key as a fault may print it. A key may be misplaced text of any kind: one that is as many digits
// as a code has, or has as many as a telephone number among other signs (ITU-T E.164 knows none below 7),
// is blanked out, and one that is no word is quoted.
func shown(key string) string {
	const shortestNumber = 7
	digits := 0
	for _, r := range key {
		if _, ok := phone.FoldDigit(r); ok {
			digits++
		}
	}
	letters := strings.ContainsFunc(key, unicode.IsLetter)
	switch {
	case digits >= shortestNumber, digits >= sms.MinCodeLength && !letters:
		return "***"
	case len(key) > maxName:
		key = strings.ToValidUTF8(key[:maxName], "") + "..."
	}
	if isName(strings.ToLower(key)) {
		return key
	}
	return strconv.Quote(key)
}

// nearest returns the word of known that key is a likely slip of, or "".
func nearest(key string, known []string) string {
	if len(key) > maxName {
		return ""
	}
	best, least := "", 1+max(2, len(key)/2)
	for _, word := range known {
		if d := distance(strings.ToLower(key), word); d < least {
			best, least = word, d
		}
	}
	return best
}

// distance is how many insertions, deletions, replacements and swaps of neighbours turn a into b
// (the optimal string alignment distance).
func distance(a, b string) int {
	var before, above []int // the two rows over the current one
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := above[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(above[j]+1, row[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// names reads a list of names, each once, of which good says whether they are written as rule says. It returns them in their
// order, and where each stands.
func (p place) names(most int, what, one string, good func(string) bool, rule string) (names []string, at map[string]place) {
	at = map[string]place{}
	for _, item := range p.list(most, what) {
		name, ok := item.text(one)
		_, twice := at[name]
		switch {
		case !ok:
		case twice:
			item.fault("is in the list already")
		case !good(name):
			item.fault(rule)
		default:
			names, at[name] = append(names, name), item
		}
	}
	return names, at
}

func set(names []string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}

const gatewayNameRule = "must be the name of a gateway, " + gateway.NameRule
