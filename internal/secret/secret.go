// Package secret holds text that must not be seen: codes, keys, passwords, tokens.
//
// A [Text] prints as "***" under every verb of fmt, in slog, in JSON and in YAML, also when it
// sits in an unexported field of a larger value. [Text.Reveal] is the only way to what it holds;
// a search for that name finds every place where a secret leaves its shell.
package secret

import (
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
)

// Mask is what every secret prints as.
const Mask = "***"

// Text is a piece of secret text. The zero value is the empty text. Values can't be compared with ==:
// use [Text.Same] for two secrets, and [Text.Equal] for what a stranger sent.
type Text struct {
	// A function, not a string: fmt and everything else that walks values reads unexported string fields past
	// every method, and nothing reads what a function holds.
	reveal func() string
}

// New wraps s.
func New(s string) Text {
	if s == "" {
		return Text{}
	}
	return Text{func() string { return s }}
}

// Reveal returns the text itself.
func (t Text) Reveal() string {
	if t.reveal == nil {
		return ""
	}
	return t.reveal()
}

// IsZero reports whether t is empty.
func (t Text) IsZero() bool { return t.reveal == nil }

// Same reports whether other holds the same text.
func (t Text) Same(other Text) bool { return t.Equal(other.Reveal()) }

// Equal compares with s in a time that does not depend on where they differ.
func (t Text) Equal(s string) bool {
	return subtle.ConstantTimeCompare([]byte(t.Reveal()), []byte(s)) == 1
}

// String returns [Mask].
func (t Text) String() string { return Mask }

// Format writes [Mask] for every verb, %#v and %x among them.
func (t Text) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, Mask) }

// LogValue returns [Mask].
func (t Text) LogValue() slog.Value { return slog.StringValue(Mask) }

// MarshalText returns [Mask], so that JSON and YAML hold it too.
func (t Text) MarshalText() ([]byte, error) { return []byte(Mask), nil }
