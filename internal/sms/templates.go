package sms

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"golang.org/x/text/language"
)

// Templates is a scene's texts by language. Safe for concurrent use. The zero Templates has none.
type Templates struct {
	tags    []string // the first serves whoever is not matched
	byTag   map[string]Template
	matcher language.Matcher
	// What locales, and lists of languages, came to.
	locales, lists *choices
}

// NewTemplates takes texts by language tag (BCP 47). Which language serves a locale that matches none
// is the first of en, then the alphabetically first.
func NewTemplates(byTag map[string]Template) (Templates, error) {
	if len(byTag) == 0 {
		return Templates{}, fmt.Errorf("templates: none given")
	}
	names := slices.Sorted(maps.Keys(byTag))
	if i := slices.Index(names, "en"); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, "en")
	}
	tags, err := parseTags(names)
	if err != nil {
		return Templates{}, err
	}
	for _, name := range names {
		if byTag[name].IsZero() {
			return Templates{}, fmt.Errorf("templates: language %q: no text", name)
		}
	}
	return Templates{names, maps.Clone(byTag), language.NewMatcher(tags), newChoices(), newChoices()}, nil
}

// IsLanguage reports whether tag is a language tag (BCP 47) that may name a template.
func IsLanguage(tag string) bool {
	_, err := parseTags([]string{tag})
	return err == nil
}

// All returns every template with its tag, in the order of the tags, the one for whoever is not matched first.
func (t Templates) All() iter.Seq2[string, Template] {
	return func(yield func(string, Template) bool) {
		for _, tag := range t.tags {
			if !yield(tag, t.byTag[tag]) {
				return
			}
		}
	}
}

func parseTags(names []string) ([]language.Tag, error) {
	seen := map[language.Tag]string{}
	var tags []language.Tag
	for _, name := range names {
		tag, err := language.Parse(name)
		if err != nil || tag == language.Und || len(name) > MaxLocale {
			return nil, fmt.Errorf("templates: language %q: not a language tag (BCP 47)", name)
		}
		if other, twice := seen[tag]; twice {
			return nil, fmt.Errorf("templates: language %q: the same as %q", name, other)
		}
		seen[tag] = name
		tags = append(tags, tag)
	}
	return tags, nil
}

// Match returns the text for locale (BCP 47, may be empty or nonsense) and its tag.
func (t Templates) Match(locale string) (Template, string) {
	if len(t.tags) == 0 {
		return Template{}, ""
	}
	name := t.match(locale)
	return t.byTag[name], name
}

func (t Templates) match(locale string) string {
	if _, exact := t.byTag[locale]; exact {
		return locale
	}
	if locale == "" || len(locale) > MaxLocale {
		return t.tags[0]
	}
	return t.locales.of(locale, t.nearest)
}

func (t Templates) nearest(locale string) string {
	wanted, _ := language.Parse(locale) // with an error, what could be read of it
	if wanted == language.Und {
		return t.tags[0]
	}
	_, i, _ := t.matcher.Match(wanted) // 0 if nothing is near
	return t.tags[i]
}
