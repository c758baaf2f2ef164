package gateway

import (
	"errors"
	"fmt"
	"strings"
)

var errWithheld = errors.New("the cause is withheld, since it holds the number, the code or the text")

// withheld returns err, or something harmless in its place if its text holds what is m's. Drivers keep
// that out of their errors; this is for the day when one does not (the text of a url.Error is the whole
// URL). It may withhold a harmless text that happens to hold the digits of a short code.
func withheld(err error, m Message) error {
	if err == nil {
		return nil
	}
	text := fmt.Sprintf("%v %+v", err, err)
	if holds(text, m.Code.Reveal()) || holds(text, m.Text.Reveal()) || holds(digitsOf(text), numberTail(m)) {
		return errWithheld
	}
	return err
}

func holds(text, part string) bool { return part != "" && strings.Contains(text, part) }

// numberTail returns the last eight digits: what every way of writing the number has in common.
func numberTail(m Message) string {
	e164 := strings.TrimPrefix(m.Phone.E164(), "+")
	return e164[max(0, len(e164)-8):]
}

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, text)
}
