package carrier

import (
	"strings"
	"unicode"
)

// maxWords bounds what is told of a reviewer's words, in characters.
const maxWords = 200

// Words returns what a carrier's people have written, fit for a line of text: printable, bounded, and with what may be a
// number or a code (four digits or more) masked.
func Words(text string) string {
	var out strings.Builder
	for _, word := range strings.Fields(text) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	clean := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, out.String())
	if runes := []rune(clean); len(runes) > maxWords {
		clean = string(runes[:maxWords]) + "..."
	}
	return maskDigits(clean)
}

// maskDigits puts *** in place of each run of four digits or more.
func maskDigits(text string) string {
	var out, run strings.Builder
	flush := func() {
		if run.Len() >= 4 {
			out.WriteString("***")
		} else {
			out.WriteString(run.String())
		}
		run.Reset()
	}
	for _, r := range text {
		if '0' <= r && r <= '9' {
			run.WriteRune(r)
			continue
		}
		flush()
		out.WriteRune(r)
	}
	flush()
	return out.String()
}
