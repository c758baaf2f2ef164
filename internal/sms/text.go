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
	numPlaces
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
	filling := [numPlaces]string{codePlace: code.Reveal(), minutesPlace: minutes}
	size := 0
	for _, p := range t {
		size += len(p.text) + len(filling[p.place])
	}
	var out strings.Builder
	out.Grow(size)
	for _, p := range t { // a place has no text, and what is no place nothing to be filled with
		out.WriteString(p.text)
		out.WriteString(filling[p.place])
	}
	return secret.New(out.String())
}
