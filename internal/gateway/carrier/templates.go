package carrier

import (
	"slices"
	"strconv"
	"strings"

	"smsd/internal/gateway"
)

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
