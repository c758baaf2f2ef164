package sms

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// Bounds of a list of languages. Browsers send a handful, in some hundred bytes.
const (
	// MaxLanguages is how much of a list is read, in bytes.
	MaxLanguages = 512
	maxWanted    = 16
)

// MatchList returns the text for whoever sent list as the header Accept-Language (RFC 9110, section 12.5.4), and its tag.
// The languages are matched as a whole: one that comes later and is there goes before a near relative of one that
// comes first. What is no language tag is passed over, and what is beyond MaxLanguages is not read.
func (t Templates) MatchList(list string) (Template, string) {
	if len(t.tags) == 0 {
		return Template{}, ""
	}
	name := t.lists.of(list, t.matchList)
	return t.byTag[name], name
}

func (t Templates) matchList(list string) string {
	wanted := parseLanguages(list)
	if len(wanted) == 0 {
		return t.tags[0]
	}
	_, i, _ := t.matcher.Match(wanted...) // 0 if nothing is near
	return t.tags[i]
}

// parseLanguages reads the entries one by one, so that one which is nonsense costs the others nothing.
func parseLanguages(list string) []language.Tag {
	type weighed struct {
		tag    language.Tag
		weight float32
	}
	var all []weighed
	for entry := range strings.SplitSeq(cutTo(list, MaxLanguages), ",") {
		tags, weights, err := language.ParseAcceptLanguage(entry)
		if err != nil || len(tags) != 1 || tags[0] == anyLanguage || len(all) == maxWanted {
			continue
		}
		all = append(all, weighed{tags[0], weights[0]})
	}
	slices.SortStableFunc(all, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	wanted := make([]language.Tag, 0, len(all))
	for _, w := range all {
		wanted = append(wanted, w.tag)
	}
	return wanted
}

// anyLanguage is what the * of a list is read as. Whoever takes any gets what whoever asks for none gets.
var anyLanguage = language.MustParse("mul")

// cutTo is list, without the entries that are not whole within most bytes.
func cutTo(list string, most int) string {
	if len(list) <= most {
		return list
	}
	return list[:max(0, strings.LastIndexByte(list[:most], ','))]
}

// choose is the tag of the text for a request: by locale, or where there is none by the languages that its client takes.
func (t Templates) choose(locale, languages string) string {
	if locale == "" && languages != "" {
		_, tag := t.MatchList(languages)
		return tag
	}
	_, tag := t.Match(locale)
	return tag
}
