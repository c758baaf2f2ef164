package apikey

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"smsd/internal/secret"
)

// A key is a Kind, "_", what is drawn, and the checksum of all of that.
const (
	prefixSize   = len("pk_")
	drawnSize    = 32 // 32 · log2(62) is 190 bits
	checksumSize = 6  // 62^6 is above 2^32
	keySize      = prefixSize + drawnSize + checksumSize
	hintSize     = 4
)

// Errors of [Parse]. Neither holds anything of the text.
var (
	ErrMalformed = errors.New("apikey: not the text of a key")
	ErrMistyped  = errors.New("apikey: mistyped: the checksum is another one")
)

// Key is the text of a key, which prints masked. The zero Key is none. Values can't be compared with ==.
type Key struct {
	kind Kind
	text secret.Text
}

// New draws a key. kind is Publishable or Secret.
func New(kind Kind) (Key, error) {
	if !kind.known() {
		return Key{}, fmt.Errorf("apikey: kind %q: must be %s or %s", string(kind), Publishable, Secret)
	}
	text := draw([]byte(kind+"_"), drawnSize)
	return Key{kind, secret.New(string(appendChecksum(text)))}, nil
}

// Parse reads what somebody says is a key. It takes no look-up, and no longer than a key's text does: anything else is
// ErrMalformed, and a key with a slip in it is ErrMistyped.
func Parse(text string) (Key, error) {
	kind, err := check(text)
	if err != nil {
		return Key{}, err
	}
	return Key{kind, secret.New(text)}, nil
}

// check says of which kind the key is that text is.
func check(text string) (Kind, error) {
	kind, ok := shape(text)
	if !ok {
		return "", ErrMalformed
	}
	const body = keySize - checksumSize
	if sum := checksum(text[:body]); string(sum[:]) != text[body:] {
		return "", ErrMistyped
	}
	return kind, nil
}

// shape says whether text has the form of a key, and of which kind.
func shape(text string) (Kind, bool) {
	if len(text) != keySize {
		return "", false
	}
	kind, rest, found := strings.Cut(text, "_")
	return Kind(kind), found && Kind(kind).known() && inAlphabet(rest)
}

// Kind returns the key's; the zero Key has none.
func (k Key) Kind() Kind { return k.kind }

// Reveal returns the text itself.
func (k Key) Reveal() string { return k.text.Reveal() }

// Hint returns the last four characters: enough to tell one's own keys apart, and of the checksum, which tells
// little of the rest.
func (k Key) Hint() string {
	text := k.text.Reveal()
	return text[max(0, len(text)-hintSize):]
}

// String returns the key masked, as "pk_...a1B2".
func (k Key) String() string {
	if k.text.IsZero() {
		return "none"
	}
	return Masked(k.kind, k.Hint())
}

// Masked is how a key of which no more is known is written.
func Masked(kind Kind, hint string) string { return string(kind) + "_..." + hint }

// Format writes [Key.String] for every verb.
func (k Key) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, k.String()) }

// LogValue returns [Key.String].
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText returns [Key.String].
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
