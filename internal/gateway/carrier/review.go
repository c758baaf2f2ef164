package carrier

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"smsd/internal/gateway"
)

// Review is how far a carrier's people are with a signature or a template.
type Review uint8

// The reviews.
const (
	Approved Review = iota
	Pending
	Rejected
	Withdrawn
)

// Reviewed keeps a finding about what was submitted for approval; words are the reviewers', if there are any.
func (e *Examination) Reviewed(what string, r Review, words string) {
	switch r {
	case Approved:
		e.Good(what, "approved")
	case Pending:
		e.Bad(what, "not approved yet: the carrier is looking at it", "wait for the carrier, mostly a few hours; its console tells")
	case Rejected:
		e.Bad(what, "rejected"+said(words), "change it in the carrier's console and submit it again, or use another")
	default:
		e.Bad(what, "withdrawn", "submit it again in the carrier's console, or use another")
	}
}

func said(words string) string {
	if words = Words(words); words == "" {
		return ""
	}
	return ": " + words
}

// maxWords bounds what is told of a reviewer's words, in characters.
const maxWords = 200

// Words returns what a carrier's people have written, fit for a line of text: printable, bounded, and with what may be a
// number or a code (four digits or more) masked.
func Words(text string) string {
	var out strings.Builder
	for _, word := range strings.Fields(text) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	clean := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, out.String())
	if runes := []rune(clean); len(runes) > maxWords {
		clean = string(runes[:maxWords]) + "..."
	}
	return maskDigits(clean)
}

// maskDigits puts *** in place of each run of four digits or more.
func maskDigits(text string) string {
	var out, run strings.Builder
	flush := func() {
		if run.Len() >= 4 {
			out.WriteString("***")
		} else {
			out.WriteString(run.String())
		}
		run.Reset()
	}
	for _, r := range text {
		if '0' <= r && r <= '9' {
			run.WriteRune(r)
			continue
		}
		flush()
		out.WriteRune(r)
	}
	flush()
	return out.String()
}

// Kept returns the templates of a carrier that keeps the texts: those that messages come with, and the gateway's own, which gets
// the code alone, if there is one; each once. It keeps a finding where messages have none.
func (e *Examination) Kept(templates []gateway.Template, own string) []gateway.Template {
	bare := slices.ContainsFunc(templates, gateway.Template.IsZero)
	all := slices.DeleteFunc(slices.Clone(templates), gateway.Template.IsZero)
	if own != "" {
		all = append(all, gateway.Template{Code: own, Params: []gateway.Param{{Name: "code"}}})
	}
	const advice = "set template of the gateway, or in the policy a code and params of this gateway for each scene and language"
	switch {
	case len(all) == 0:
		e.Bad("template", "there is none, and this carrier sends only texts that it has approved", advice)
	case bare && own == "":
		e.Doubtful("template", "messages of some scenes or languages have none, and this carrier would refuse those", advice)
	}
	return all
}

// Variables keeps a finding where the places of an approved template are not what is put into it: what has no value, and what
// has no place. It says whether they match.
func (e *Examination) Variables(what string, places []string, params []gateway.Param) bool {
	var sent []string
	for _, p := range params {
		sent = append(sent, p.Name)
	}
	missing, spare := without(places, sent), without(sent, places)
	if len(missing)+len(spare) == 0 {
		return true
	}
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "it has "+list(missing)+", for which nothing is sent")
	}
	if len(spare) > 0 {
		parts = append(parts, "what is sent as "+list(spare)+" has no place in it")
	}
	e.Bad(what, strings.Join(parts, ", and "), "make params of the template those of the carrier's text, or use another template")
	return false
}

// Places is [Examination.Variables] for a carrier that takes the values by their places.
func (e *Examination) Places(what string, places int, params []gateway.Param) bool {
	if places == len(params) {
		return true
	}
	e.Bad(what, "it has places for "+count(places)+", and "+count(len(params))+" would be sent",
		"make params of the template as many as the carrier's text has places, or use another template")
	return false
}

func count(n int) string {
	if n == 1 {
		return "1 value"
	}
	return strconv.Itoa(n) + " values"
}

// maxListed bounds how many names a finding has.
const maxListed = 10

// list quotes names, which may be a stranger's.
func list(names []string) string {
	var quoted []string
	for _, name := range names[:min(len(names), maxListed)] {
		quoted = append(quoted, strconv.Quote(Words(name)))
	}
	return strings.Join(quoted, ", ")
}

// without returns the names of all that are not among others, each once.
func without(all, others []string) []string {
	var rest []string
	for _, name := range all {
		if !slices.Contains(others, name) && !slices.Contains(rest, name) {
			rest = append(rest, name)
		}
	}
	return rest
}
