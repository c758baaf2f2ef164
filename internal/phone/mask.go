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
	b := n.veiled.unveiled()
	digits := b.e164()[1:]
	code, national := digits[:b.calling()], digits[b.calling():]
	tail := 4
	if len(national) < 8 {
		tail = 2
	}
	head := min(3, max(0, len(national)-tail-4))
	return "+" + code + " " + national[:head] + "****" + national[len(national)-tail:]
}

// Format writes [Number.String] for every verb.
func (n Number) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, n.String()) }

// LogValue returns [Number.String].
func (n Number) LogValue() slog.Value { return slog.StringValue(n.String()) }

// MarshalText returns [Number.String].
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }
