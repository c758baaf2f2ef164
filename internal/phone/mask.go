package phone

import (
	"fmt"
	"io"
	"log/slog"
)

// String returns the number masked: at least four digits of eight or more stay hidden.
func (n Number) String() string {
	if n.IsZero() {
		return "none"
	}
	var room [1 + maxDigits]byte
	b := n.veiled.unveiled()
	e164 := b.appendE164(room[:0])
	code, national := e164[:1+b.calling()], e164[1+b.calling():]
	tail := 4
	if len(national) < 8 {
		tail = 2
	}
	head := min(3, max(0, len(national)-tail-4))
	text := append(make([]byte, 0, len(room)+len(" ****")), code...)
	text = append(append(text, ' '), national[:head]...)
	text = append(append(text, "****"...), national[len(national)-tail:]...)
	return string(text)
}

// Format writes [Number.String] for every verb.
func (n Number) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, n.String()) }

// LogValue returns [Number.String].
func (n Number) LogValue() slog.Value { return slog.StringValue(n.String()) }

// MarshalText returns [Number.String].
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }
