package sms

import (
	"strings"

	"smsd/internal/secret"
)

// text is what a person wrote, cut at the places of the code and the minutes. Variables are in it already.
type text []piece

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

var places = map[string]place{"Code": codePlace, "Minutes": minutesPlace}

// merged joins neighbours without a place between them, so that a render takes as few steps as there are places.
func (t text) merged() text {
	var out text
	for _, p := range t {
		if last := len(out) - 1; last >= 0 && p.place == noPlace && out[last].place == noPlace {
			out[last].text += p.text
			continue
		}
		out = append(out, p)
	}
	return out
}

func (t text) count(where place) int {
	n := 0
	for _, p := range t {
		if p.place == where {
			n++
		}
	}
	return n
}

// filled is the text with mark at every place.
func (t text) filled(mark string) string {
	return t.render(secret.New(mark), mark).Reveal()
}

func (t text) render(code secret.Text, minutes string) secret.Text {
	var out strings.Builder
	out.Grow(MaxTemplate / 4) // most are shorter
	for _, p := range t {
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
