package gatewaytest

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"smsd/internal/gateway"
)

// leaking returns each error in err's chain that prints what it must not, by its type: its text would put
// into the test's log what the test is about.
func leaking(err error, m gateway.Message, secrets []string) []string {
	var found []string
	for _, e := range chain(err) {
		if leaks(fmt.Sprintf("%v %+v %#v %q", e, e, e, e), m, secrets) {
			found = append(found, fmt.Sprintf("an error of type %T holds a number, a code, a text or a credential", e))
		}
	}
	return found
}

// chain returns err and every error inside it.
func chain(err error) []error {
	switch e := err.(type) {
	case nil:
		return nil
	case interface{ Unwrap() error }:
		if nilError, ok := err.(*gateway.Error); ok && nilError == nil {
			return nil
		}
		return append([]error{err}, chain(e.Unwrap())...)
	case interface{ Unwrap() []error }:
		all := []error{err}
		for _, inner := range e.Unwrap() {
			all = append(all, chain(inner)...)
		}
		return all
	}
	return []error{err}
}

// leaks reports whether text holds one of secrets or what is m's, as it is or as it travels: escaped for a
// URL, in base64 (which a header with user and password uses), a number without its country code.
func leaks(text string, m gateway.Message, secrets []string) bool {
	digits := strings.TrimPrefix(m.Phone.E164(), "+")
	hidden := append([]string{digits[max(0, len(digits)-8):], m.Code.Reveal(), m.Text.Reveal()}, secrets...)
	for _, h := range hidden {
		for _, form := range []string{h, url.QueryEscape(h), url.PathEscape(h), base64.StdEncoding.EncodeToString([]byte(h))} {
			if h != "" && strings.Contains(text, form) {
				return true
			}
		}
	}
	return false
}
