package app

import (
	"errors"
	"strconv"
	"strings"
	"time"

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

// span reads a duration, as 5m; nothing is 0. What is none is below 0: no driver takes that, and each says what it must be.
func span(text secret.Text) time.Duration {
	if text.IsZero() {
		return 0
	}
	d, err := time.ParseDuration(text.Reveal())
	if err != nil {
		return -1
	}
	return d
}
