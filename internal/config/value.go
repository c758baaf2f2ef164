package config

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// value reads and shows one setting. The errors of set say what must be; they hold what was given
// only where that is no secret.
type value interface {
	set(text string) error
	show() string
}

// given quotes what was given, for an error.
func given(text string) string {
	const enough = 60
	if len(text) > enough {
		text = text[:enough] + "..."
	}
	return strconv.Quote(text)
}

// wordValue is a text that check accepts.
type wordValue struct {
	p     *string
	check func(string) error
}

func (v wordValue) set(text string) error {
	if err := v.check(text); err != nil {
		return fmt.Errorf("%s: %w", given(text), err)
	}
	*v.p = text
	return nil
}

func (v wordValue) show() string { return *v.p }

func anything(string) error { return nil }

func notEmpty(text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("must not be empty")
	}
	return nil
}

// oneOf accepts the given words.
func oneOf(words ...string) func(string) error {
	return func(text string) error {
		if slices.Contains(words, text) {
			return nil
		}
		return fmt.Errorf("must be %s", strings.Join(words, " or "))
	}
}

// nameLike accepts 1 to longest characters of [a-zA-Z0-9] and more.
func nameLike(longest int, more string) func(string) error {
	return func(text string) error {
		odd := strings.IndexFunc(text, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(more, r))
		})
		if text == "" || len(text) > longest || odd >= 0 {
			return fmt.Errorf("must be 1 to %d letters, digits or any of %s", longest, more)
		}
		return nil
	}
}

// issuerLike accepts what RFC 7519, section 2, calls a StringOrURI, without what would have to be escaped in JSON: 1 to 128
// characters of those that a URI may have (RFC 3986, section 2).
func issuerLike(text string) error {
	const longest = 128
	if nameLike(longest, "-._~:/?#[]@!$'()*+,;=%")(text) != nil {
		return fmt.Errorf("must be 1 to %d characters of those that a URL may have, without &", longest)
	}
	if strings.Contains(text, ":") {
		if u, err := url.Parse(text); err != nil || u.Scheme == "" {
			return errors.New("with a colon in it, it must be a URI, as https://sms.example.com")
		}
	}
	return nil
}

// profileValue is a [Profile].
type profileValue struct{ p *Profile }

func (v profileValue) set(text string) error {
	if err := oneOf(string(Dev), string(Production))(text); err != nil {
		return fmt.Errorf("%s: %w", given(text), err)
	}
	*v.p = Profile(text)
	return nil
}

func (v profileValue) show() string { return string(*v.p) }

// spanValue is a duration from low to high.
type spanValue struct {
	p         *time.Duration
	low, high time.Duration
}

func (v spanValue) set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < v.low || d > v.high {
		return fmt.Errorf("%s: must be a duration from %s to %s, as %s", given(text), v.low, v.high, v.low)
	}
	*v.p = d
	return nil
}

func (v spanValue) show() string { return v.p.String() }

// wholeValue is a whole number from low to high. Where it is 0, show says zero instead.
type wholeValue struct {
	p         *int
	low, high int
	zero      string
}

func (v wholeValue) set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < v.low || n > v.high {
		return fmt.Errorf("%s: must be a whole number from %d to %d", given(text), v.low, v.high)
	}
	*v.p = n
	return nil
}

func (v wholeValue) show() string {
	if *v.p == 0 && v.zero != "" {
		return v.zero
	}
	return strconv.Itoa(*v.p)
}

// maxRate bounds the local limiters: more than one process can take, and far from what would overflow.
const maxRate = 1_000_000

// rateValue is events a second, above 0.
type rateValue struct{ p *float64 }

func (v rateValue) set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || n <= 0 || n > maxRate {
		return fmt.Errorf("%s: must be a number above 0, %d at most", given(text), maxRate)
	}
	*v.p = n
	return nil
}

func (v rateValue) show() string { return strconv.FormatFloat(*v.p, 'f', -1, 64) }

// switchValue is true or false.
type switchValue struct{ p *bool }

func (v switchValue) set(text string) error {
	b, err := strconv.ParseBool(text)
	if err != nil {
		return fmt.Errorf("%s: must be true or false", given(text))
	}
	*v.p = b
	return nil
}

func (v switchValue) show() string { return strconv.FormatBool(*v.p) }
