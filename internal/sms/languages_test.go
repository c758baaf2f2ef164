package sms

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestMatchList(t *testing.T) {
	t.Parallel()
	const browser = "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5" // the example of MDN's page on the header
	for _, c := range []struct{ tags, list, want string }{
		{"zh en", browser, "en"}, {"de zh", browser, "de"}, {"de fr zh", browser, "fr"}, {"zh pt", browser, "pt"},
		{"zh en", "zh-CN,zh;q=0.9,en;q=0.8", "zh"}, {"zh en", "en;q=0.1,zh;q=0.9", "zh"}, {"zh en", "en;q=0,zh;q=0.1", "zh"},
		{"zh-Hans zh-Hant en", "zh-HK, en", "zh-Hant"}, {"zh en", "ja, zh-CN;q=0.5, en;q=0.4", "zh"}, {"zh en", "zh-TW;q=0.5, en;q=0.4", "en"},
		{"zh en", "", "en"}, {"zh en", "*", "en"}, {"zh en", "*, zh;q=0.5", "zh"}, {"zh en", ",,;q=,", "en"},
		{"zh en", "no!nsense, zh", "zh"}, {"zh en", "zh;q=high", "en"}, {"zh en", "zh;q=NaN, en;q=1", "en"}, {"zh en", "\xff\x00, zh", "zh"},
		{"zh en", "und", "en"}, {"zh en", strings.Repeat("-", 5000), "en"}, {"zh en", strings.Repeat("x,", 250) + "zh", "zh"},
		{"zh en", strings.Repeat(",", MaxLanguages) + "zh", "en"}, {"zh en", "zh," + strings.Repeat("x", 1<<20), "zh"},
		{"zh en", strings.Repeat("fr,", maxWanted) + "zh", "en"},
	} {
		all := mustTemplates(t, strings.Fields(c.tags)...)
		for range 2 { // the second is remembered, if it is short
			if _, tag := all.MatchList(c.list); tag != c.want {
				t.Errorf("%.60q among %s: %s, want %s", c.list, c.tags, tag, c.want)
			}
		}
	}
	if template, tag := (Templates{}).MatchList("en"); !template.IsZero() || tag != "" {
		t.Errorf("of none: %v, %q", template, tag)
	}
}

// What strangers send takes no more memory than the bounds say, and changes nobody's language.
func TestChoicesAreBounded(t *testing.T) {
	t.Parallel()
	all := mustTemplates(t, "en", "zh")
	var together sync.WaitGroup
	for part := range 4 {
		together.Go(func() {
			for i := range 200 {
				all.MatchList(fmt.Sprintf("fr;q=0.%d%d,zh", part, i))
				all.Match(fmt.Sprintf("fr-x-%d-%d", part, i))
			}
		})
	}
	together.Wait()
	all.MatchList("de," + strings.Repeat("fr,", maxChoiceList))
	for _, c := range []*choices{all.lists, all.locales} {
		if len(c.known) != maxChoices {
			t.Errorf("%d are remembered", len(c.known))
		}
	}
	if _, tag := all.MatchList("zh-CN,zh;q=0.9"); tag != "zh" {
		t.Error(tag)
	}
	if _, tag := all.Match("zh-CN"); tag != "zh" {
		t.Error(tag)
	}
}

// The field goes before the header, even where nothing is near it: what a request asks for is not what a browser is set to.
func TestLocaleGoesBeforeLanguages(t *testing.T) {
	t.Parallel()
	all := mustTemplates(t, "en", "zh", "de")
	for _, c := range []struct{ locale, languages, want string }{
		{"de", "zh", "de"}, {"", "zh", "zh"}, {"fr", "zh", "en"}, {"", "", "en"}, {"nonsense!", "zh", "en"},
	} {
		if got := all.choose(c.locale, c.languages); got != c.want {
			t.Errorf("%q, %q: %s", c.locale, c.languages, got)
		}
	}
}

func FuzzMatchList(f *testing.F) {
	for _, seed := range []string{"fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5", "", "zh;q=NaN", "a-b-c,;q", "en-u-rg-uszzzz;q=1e400"} {
		f.Add(seed)
	}
	text, _ := ParseTemplate("{{.Code}}")
	all, err := NewTemplates(map[string]Template{"en": text, "zh": text, "pt-BR": text})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, list string) {
		if template, tag := all.MatchList(list); template.IsZero() || tag == "" {
			t.Fatalf("%q matches nothing", list)
		}
		if n := len(parseLanguages(list)); n > maxWanted {
			t.Fatalf("%q: %d languages", list, n)
		}
	})
}

func BenchmarkMatchList(b *testing.B) {
	text, _ := ParseTemplate("{{.Code}}")
	all, err := NewTemplates(map[string]Template{"en": text, "zh": text, "pt-BR": text})
	if err != nil {
		b.Fatal(err)
	}
	const list = "fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5"
	b.Run("remembered", func(b *testing.B) {
		for b.Loop() {
			all.choose("", list)
		}
	})
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			all.matchList(list)
		}
	})
}
