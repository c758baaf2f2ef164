package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// Text is a text of a policy at the longest that a message of it can be, and what that takes.
type Text struct {
	App     string // "": every app without texts or prices of its own
	Scene   string
	Locale  string // BCP 47
	Gateway string // that says it in its own way; "": all the others
	gateway.Measurement
	// Costs are the most that it costs, in each currency that a price of its scene's countries is in; in order.
	Costs []sms.Money
	// Over says, in words, in what it exceeds its scene's budget.
	Over []string
}

// Texts returns every text of p in order: those of the top, and of each app that has its own, or its own prices.
func Texts(p *sms.Policy) (all []Text) {
	all = textsOf("", p)
	for _, app := range slices.Sorted(maps.Keys(p.Apps)) {
		if own := p.Apps[app]; slices.ContainsFunc(textKeys, func(key string) bool { return slices.Contains(own.Stated, key) }) {
			all = append(all, textsOf(app, own)...)
		}
	}
	return all
}

// textKeys are what an app has that must be there for its texts, or what they cost, to be others than the top's.
var textKeys = []string{scenesKey, variablesKey, pricesKey}

func textsOf(app string, p *sms.Policy) (all []Text) {
	for _, name := range slices.Sorted(maps.Keys(p.Scenes)) {
		for _, text := range newScale(p.Scenes[name], p.Prices).texts() {
			text.App = app
			all = append(all, text)
		}
	}
	return all
}

// Lint returns the [Texts] of a policy file. What exceeds a budget is no fault here; any other one is, as in [Parse].
func Lint(text []byte) ([]Text, error) {
	p, _, err := parseWith(text, time.Now(), func(file) {})
	if err != nil {
		return nil, err
	}
	return Texts(p), nil
}

// ownTexts reports whether the texts of t, or what they cost, may be others than the top's.
func (t terms) ownTexts() bool {
	return t.app == "" || slices.ContainsFunc(textKeys, t.states)
}

// eachText visits every text of f, as far as it could be made.
func (f file) eachText(visit func(t terms, s scene, l language, text Text)) {
	if f.allTexts() > maxAllTexts {
		return // a fault, and measuring all would take long
	}
	for _, t := range f.each() {
		t.eachText(func(s scene, l language, text Text) { visit(t, s, l, text) })
	}
}

func (t terms) eachText(visit func(s scene, l language, text Text)) {
	if !t.ownTexts() {
		return
	}
	prices := pricesOf(t.prices)
	for _, s := range t.scenes {
		languages := map[string]language{}
		for _, l := range s.texts.languages {
			languages[l.tag] = l
		}
		for _, text := range newScale(s.Scene, prices).texts() {
			visit(s, languages[text.Locale], text)
		}
	}
}

// wording is where the text of the named gateway stands; "" is the one for everybody.
func (l language) wording(name string) place {
	for _, field := range []string{"gateways." + name + ".text", "gateways." + name, "text"} {
		if p, known := l.fields[field]; known {
			return p
		}
	}
	return l.at
}

// size says how long t is, and why.
func (t Text) size() string {
	return fmt.Sprintf("%s (%s, %d units%s)", segments(t.Segments), t.Encoding, t.Units, because(t.Foreign))
}

// because is which character forced a text into UCS-2, and what to do; "" if none did.
func because(f gateway.Foreign) string {
	if f.IsZero() {
		return ""
	}
	text := fmt.Sprintf(", because of %s", f)
	if f.Count > 1 {
		text += fmt.Sprintf(", the first of %d such characters", f.Count)
	}
	if advice := f.Advice(); advice != "" {
		text += ": " + advice
	}
	return text
}

// Filled returns a text that is in no policy as a message has it: {{.Code}} and {{.Minutes}}, where they stand in it, as
// six digits and one, which is what a scene has that says nothing else. A text without them stays as it is.
func Filled(text string) (string, error) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	t, err := sms.ParseTemplate(text)
	if err != nil {
		return "", err
	}
	s := sms.Scene{CodeLength: 6, TTL: 5 * time.Minute}
	return s.Longest(t, "").Text.Reveal(), nil
}
