package redisstore

import (
	"strings"
	"unicode"

	"smsd/internal/secret"
)

// maxSeen is how much of what a server says is printed, in bytes: its longest errors have less than 200.
const maxSeen = 400

// printable makes one harmless line of what may hold a server's words: one that is too old answers HELLO with
// an error that repeats the password, and one that is none may answer anything.
func (e *examiner) printable(text string) string {
	for _, hidden := range e.hidden {
		if hidden != "" {
			text = strings.ReplaceAll(text, hidden, secret.Mask)
		}
	}
	if len(text) > maxSeen {
		text = strings.ToValidUTF8(text[:maxSeen], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}
