package sms

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"smsd/internal/secret"
)

// MaxTemplate is the longest template, in bytes.
const MaxTemplate = 1000

// maxMinutes is how often a template may name the minutes: once is what people write, and a bound keeps
// the message from growing far past its template.
const maxMinutes = 4

// Template is one message text with the places of the code and the minutes. The zero Template is none.
type Template struct {
	pieces []piece
}

// piece is a stretch of text, or a place.
type piece struct {
	place place
	text  string
}

type place uint8

const (
	noPlace place = iota
	codePlace
	minutesPlace
)

var places = map[string]place{".Code": codePlace, ".Minutes": minutesPlace}

// ParseTemplate reads text, in which {{.Code}} must stand once and {{.Minutes}} may stand, a few times
// at most; anything else in double braces is a fault, and so are control characters other than a
// new line. At most MaxTemplate bytes.
func ParseTemplate(text string) (Template, error) {
	if err := checkText(text); err != nil {
		return Template{}, err
	}
	pieces, err := split(text)
	if err != nil {
		return Template{}, err
	}
	t := Template{pieces}
	if n := t.count(codePlace); n != 1 {
		return Template{}, fmt.Errorf("template: {{.Code}} stands %d times, must be once", n)
	}
	if n := t.count(minutesPlace); n > maxMinutes {
		return Template{}, fmt.Errorf("template: {{.Minutes}} stands %d times, at most %d", n, maxMinutes)
	}
	return t, nil
}

func checkText(text string) error {
	if len(text) > MaxTemplate {
		return fmt.Errorf("template: %d bytes, at most %d", len(text), MaxTemplate)
	}
	if !utf8.ValidString(text) {
		return fmt.Errorf("template: not UTF-8")
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' {
			return fmt.Errorf("template: control character %U", r)
		}
	}
	return nil
}

// split cuts text at its places.
func split(text string) ([]piece, error) {
	var pieces []piece
	for {
		before, rest, found := strings.Cut(text, "{{")
		if strings.Contains(before, "}}") {
			return nil, fmt.Errorf("template: }} without {{ before it")
		}
		if before != "" {
			pieces = append(pieces, piece{text: before})
		}
		if !found {
			return pieces, nil
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("template: {{ without }} after it")
		}
		where, known := places[strings.TrimSpace(name)]
		if !known {
			return nil, fmt.Errorf("template: {{%s}}: must be {{.Code}} or {{.Minutes}}", name)
		}
		pieces, text = append(pieces, piece{place: where}), after
	}
}

func (t Template) count(where place) int {
	n := 0
	for _, p := range t.pieces {
		if p.place == where {
			n++
		}
	}
	return n
}

// IsZero reports whether there is no template.
func (t Template) IsZero() bool { return len(t.pieces) == 0 }

// Render fills in code and the whole minutes that remain, rounded down but at least 1.
func (t Template) Render(code secret.Text, remaining time.Duration) secret.Text {
	minutes := strconv.Itoa(int(max(1, remaining/time.Minute)))
	var out strings.Builder
	out.Grow(MaxTemplate / 4) // most are shorter
	for _, p := range t.pieces {
		switch p.place {
		case codePlace:
			out.WriteString(code.Reveal())
		case minutesPlace:
			out.WriteString(minutes)
		default:
			out.WriteString(p.text)
		}
	}
	return secret.New(out.String())
}
