package sms

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// MaxTemplate is the longest text of a template, in bytes, without and with its variables.
const MaxTemplate = 1000

// Template is how a message is said in one language: by a text, and by the wording of each gateway that says it in its own
// way. Signature, last line and variables are in it already. Immutable; the zero Template is none.
type Template struct {
	text text
	own  map[string]own
}

// IsZero reports whether there is no template.
func (t Template) IsZero() bool { return len(t.text) == 0 }

// Render returns the text with code and the whole minutes that remain in it, rounded down but at least 1.
func (t Template) Render(code secret.Text, remaining time.Duration) secret.Text {
	return t.text.render(code, minutesOf(remaining))
}

// minutesOf rounds down, so that a message never promises more than is left; a code with less than a minute is sent
// only where the clocks moved on between its making and its message.
func minutesOf(remaining time.Duration) string {
	return strconv.Itoa(int(max(1, remaining/time.Minute)))
}

// Gateways returns the names, in order, of the gateways that have a wording of their own.
func (t Template) Gateways() []string { return slices.Sorted(maps.Keys(t.own)) }

// Say returns how the named gateway says the message: in its own wording, or, if it has none, by the text for everybody
// ("" is a name that no gateway has).
func (t Template) Say(name string, code secret.Text, remaining time.Duration) gateway.Wording {
	wording, own := t.inOwnWords(name, code, remaining)
	if !own || wording.Text.IsZero() {
		wording.Text = t.Render(code, remaining)
	}
	return wording
}

// inOwnWords is Say of a gateway with a wording of its own. Its Text is empty where that for everybody will do.
func (t Template) inOwnWords(name string, code secret.Text, remaining time.Duration) (w gateway.Wording, own bool) {
	o, own := t.own[name]
	if !own {
		return w, false
	}
	minutes := minutesOf(remaining)
	if len(o.text) > 0 {
		w.Text = o.text.render(code, minutes)
	}
	w.Template = o.kept.fill(code, minutes)
	return w, true
}

// wordings returns what [gateway.Dispatch] asks, for a message whose text for everybody is rendered already; nil if no
// gateway has a wording of its own.
func (t Template) wordings(everybodys, code secret.Text, remaining time.Duration) func(name string) gateway.Wording {
	if len(t.own) == 0 {
		return nil
	}
	return func(name string) gateway.Wording {
		w, own := t.inOwnWords(name, code, remaining)
		if !own || w.Text.IsZero() {
			w.Text = everybodys
		}
		return w
	}
}

// Longest returns how the named gateway says t at the longest that a message of the scene can be: a code of all its
// digits, and all the minutes of its life. "" is the text for everybody.
func (s *Scene) Longest(t Template, name string) gateway.Wording {
	return t.Say(name, secret.New(strings.Repeat("0", s.CodeLength)), s.TTL)
}
