package sms

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMinutes is how often a text may name the minutes: once is what people write, and a bound keeps the
// message from growing far past its text.
const maxMinutes = 4

// unknownPlace is the error of double braces round anything but a place or a variable.
type unknownPlace struct{ name string }

func (e *unknownPlace) Error() string {
	return "{{" + e.name + "}}: must be {{.Code}}, {{.Minutes}} or a variable"
}

// parseMessage reads the text of a message: the code once, the minutes a few times at most.
func parseMessage(raw string, known Variables) (text, error) {
	t, err := parseText(raw, MaxTemplate, known)
	if err != nil {
		return nil, err
	}
	if n := t.count(codePlace); n != 1 {
		return nil, fmt.Errorf("{{.Code}} stands %d times, must be once", n)
	}
	if n := t.count(minutesPlace); n > maxMinutes {
		return nil, fmt.Errorf("{{.Minutes}} stands %d times, at most %d", n, maxMinutes)
	}
	return t, t.checkLines()
}

// parseParam reads a value of a template that a carrier keeps. It may be a place alone.
func parseParam(raw string, known Variables) (text, error) {
	t, err := parseText(raw, MaxParam, known)
	switch {
	case err != nil:
		return nil, err
	case len(t) == 0:
		return nil, fmt.Errorf("is empty")
	case t.count(codePlace) > 1 || t.count(minutesPlace) > 1:
		return nil, fmt.Errorf("{{.Code}} and {{.Minutes}} may stand once each")
	}
	return t, checkFree(t.filled("0"))
}

// parseText reads a text with places. Anything else in double braces is a fault, and so are control characters other
// than a new line.
func parseText(raw string, most int, known Variables) (text, error) {
	if err := checkText(raw, most); err != nil {
		return nil, err
	}
	t, err := split(raw, known)
	if err != nil {
		return nil, err
	}
	if n := len(t.filled("")); n > most {
		return nil, fmt.Errorf("%d bytes with its variables, at most %d", n, most)
	}
	return t.merged(), nil
}

func checkText(raw string, most int) error {
	if len(raw) > most {
		return fmt.Errorf("%d bytes, at most %d", len(raw), most)
	}
	if !utf8.ValidString(raw) {
		return fmt.Errorf("not UTF-8")
	}
	for _, r := range raw {
		if unicode.IsControl(r) && r != '\n' {
			return fmt.Errorf("control character %U", r)
		}
	}
	return nil
}

// split cuts raw at its places, and puts the variables in.
func split(raw string, known Variables) (text, error) {
	var t text
	for {
		before, rest, found := strings.Cut(raw, "{{")
		if strings.Contains(before, "}}") {
			return nil, fmt.Errorf("}} without {{ before it")
		}
		if before != "" {
			t = append(t, piece{text: before})
		}
		if !found {
			return t, nil
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("{{ without }} after it")
		}
		p, ok := known.piece(name)
		if !ok {
			return nil, &unknownPlace{name}
		}
		t, raw = append(t, p), after
	}
}

// piece is what {{name}} stands for.
func (v Variables) piece(name string) (piece, bool) {
	word, dotted := strings.CutPrefix(strings.TrimSpace(name), ".")
	if where, known := places[word]; known && dotted {
		return piece{place: where}, true
	}
	value, known := v[word]
	return piece{text: value}, known && dotted
}
