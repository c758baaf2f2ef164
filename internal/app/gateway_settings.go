package app

import (
	"errors"
	"strconv"
	"strings"

	"smsd/internal/secret"
)

// How the settings of gateways are read: each is one text, be it from a list, a file or a plain value.

// list returns the parts between commas and line ends.
func list(text secret.Text) []secret.Text {
	var all []secret.Text
	for _, part := range strings.FieldsFunc(text.Reveal(), func(r rune) bool { return r == ',' || r == '\n' || r == '\r' || r == ' ' }) {
		all = append(all, secret.New(part))
	}
	return all
}

// isTrue reads true and false as every other setting does; nothing is false.
func isTrue(text secret.Text) (bool, error) {
	if text.IsZero() {
		return false, nil
	}
	b, err := strconv.ParseBool(text.Reveal())
	if err != nil {
		return false, errors.New("must be true or false")
	}
	return b, nil
}
