package phone

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsInternational reports whether raw carries its own country code, so that [Parse] needs no region.
func IsInternational(raw string) bool {
	text, err := clean(raw)
	return err == nil && strings.HasPrefix(text, "+")
}

// clean folds raw to "+", ASCII digits and nothing else. Letters are refused, not read as a keypad
// would: a vanity number in a form is a mistake or an attack.
func clean(raw string) (string, error) {
	if len(raw) > MaxInput || !utf8.ValidString(raw) {
		return "", &Error{"it is too long or not UTF-8"}
	}
	if isClean(raw) {
		return raw, nil
	}
	var room [MaxInput]byte
	out := room[:0]
	for _, r := range raw {
		switch digit, isDigit := FoldDigit(r); {
		case isDigit:
			out = append(out, digit)
		case (r == '+' || r == '＋') && len(out) == 0:
			out = append(out, '+')
		case isSeparator(r):
		default:
			return "", &Error{"it may hold digits, blanks, dashes, dots, brackets and a leading + only"}
		}
	}
	text := string(out)
	if rest, ok := strings.CutPrefix(text, "00"); ok {
		text = "+" + rest
	}
	if strings.TrimPrefix(text, "+") == "" {
		return "", &Error{"it holds no digits"}
	}
	return text, nil
}

// isClean reports whether raw is "+" and ASCII digits, as most numbers are.
func isClean(raw string) bool {
	for i := range len(raw) {
		if (raw[i] < '0' || raw[i] > '9') && (i > 0 || raw[i] != '+') {
			return false
		}
	}
	return len(raw) > 1 && raw[0] == '+'
}

// FoldDigit maps any Unicode decimal digit to ASCII. The digits of a script stand in one run of ten
// (Unicode Standard, section 4.6), so a digit's value is its distance from the start of its range in
// [unicode.Nd], all of which are whole runs.
func FoldDigit(r rune) (ascii byte, isDigit bool) {
	if '0' <= r && r <= '9' {
		return byte(r), true
	}
	start, isDigit := rangeStart(r)
	return '0' + byte((r-start)%10), isDigit
}

func rangeStart(r rune) (start rune, found bool) {
	for _, block := range unicode.Nd.R16 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return rune(block.Lo), true
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return rune(block.Lo), true
		}
	}
	return 0, false
}

func isSeparator(r rune) bool {
	switch r {
	case '-', '.', '(', ')', '/', '（', '）', '·', '‐', '‑', '‒', '–', '—', '−', '－', '．',
		'\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', // zero width
		'\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', // direction marks, as phone books paste them
		'\u2066', '\u2067', '\u2068', '\u2069':
		return true
	case '\r', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return false // a line break is two values, or a header that someone wants to inject
	}
	return r == '\t' || unicode.Is(unicode.Zs, r)
}
