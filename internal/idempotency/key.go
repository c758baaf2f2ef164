package idempotency

import (
	"strings"

	"smsd/internal/secret"
)

// MaxKey is the longest key, in characters.
const MaxKey = 255

// Key is a client's key. It prints masked: who knows it, and what was asked, may read the answer.
type Key struct{ text secret.Text }

// ParseKey reads the values of the header: exactly one, a string of structured fields (RFC 9651, section 3.3.3) as the
// draft asks for, or the bare key, as most clients send it. Both spellings are one key. A bare one has none of the
// characters that mean something in structured fields: a list of two keys that a proxy has joined is no key.
// Everything else is ErrKey.
func ParseKey(values []string) (Key, error) {
	if len(values) != 1 {
		return Key{}, ErrKey
	}
	text, ok := strings.Trim(values[0], " "), false
	if strings.HasPrefix(text, `"`) {
		text, ok = unquote(text)
	} else {
		ok = !strings.ContainsAny(text, `"\,;`)
	}
	if !ok || len(text) < 1 || len(text) > MaxKey || !isVisible(text) {
		return Key{}, ErrKey
	}
	return Key{secret.New(text)}, nil
}

// unquote reads a string that ends where the value does: the draft defines no parameters.
func unquote(quoted string) (string, bool) {
	var out strings.Builder
	for i := 1; i < len(quoted); i++ {
		switch c := quoted[i]; c {
		case '"':
			return out.String(), i == len(quoted)-1
		case '\\':
			if i++; i == len(quoted) || quoted[i] != '"' && quoted[i] != '\\' {
				return "", false
			}
			out.WriteByte(quoted[i])
		default:
			out.WriteByte(c)
		}
	}
	return "", false
}

// isVisible reports whether s is visible ASCII (VCHAR of RFC 5234).
func isVisible(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}
