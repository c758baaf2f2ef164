package sms

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/secret"
)

func mustTemplate(t *testing.T, text string) Template {
	t.Helper()
	template, err := ParseTemplate(text)
	if err != nil {
		t.Fatal(err)
	}
	return template
}

func TestRender(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text      string
		remaining time.Duration
		want      string
	}{
		{"{{.Code}}", time.Minute, "012345"}, // makeradmin 651: leading zeroes stand in the text
		{"{{ .Code }} works {{.Minutes}} min", 5 * time.Minute, "012345 works 5 min"},
		{"您的验证码是{{.Code}},{{.Minutes}}分钟内有效。", 5*time.Minute - 1, "您的验证码是012345,4分钟内有效。"},
		{"{{.Minutes}}/{{.Minutes}}: {{.Code}}\nbye {", 30 * time.Second, "1/1: 012345\nbye {"},
		{"{{.Code}} {{.Minutes}}", -time.Hour, "012345 1"},
		{"a } b { {{.Code}}", time.Minute, "a } b { 012345"},
	} {
		if got := mustTemplate(t, c.text).Render(secret.New("012345"), c.remaining).Reveal(); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestParseTemplateRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":              "",
		"no code":            "Your code works {{.Minutes}} minutes",
		"two codes":          "{{.Code}} {{.Code}}",
		"five minutes":       "{{.Code}}" + strings.Repeat("{{.Minutes}}", 5),
		"another place":      "{{.Code}} {{.Phone}}",
		"another case":       "{{.code}}",
		"a pipe":             "{{.Code | printf}}",
		"empty braces":       "{{.Code}} {{}}",
		"not closed":         "{{.Code}} {{.Minutes",
		"not opened":         "{{.Code}} }}",
		"triple braces":      "{{{.Code}}}",
		"too long":           "{{.Code}}" + strings.Repeat("x", MaxTemplate),
		"a carriage return":  "{{.Code}}\r\nx",
		"NUL":                "{{.Code}}\x00",
		"not UTF-8":          "{{.Code}}\xff",
		"a template command": "{{if .Code}}x{{end}}",
	} {
		if _, err := ParseTemplate(text); err == nil {
			t.Errorf("%s: no error", name)
		} else if strings.ToLower(err.Error()[:9]) != "template:" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ParseTemplate("{{.Code}}" + strings.Repeat("x", MaxTemplate-len("{{.Code}}"))); err != nil {
		t.Errorf("the longest: %v", err)
	}
}

func FuzzParseTemplate(f *testing.F) {
	for _, seed := range []string{"{{.Code}}", "a{{.Code}}b{{.Minutes}}c", "{{", "}}", "{{{{.Code}}}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, err := ParseTemplate(text)
		if err != nil {
			return
		}
		got := template.Render(secret.New("<code>"), time.Minute).Reveal()
		if strings.Count(got, "<code>") != 1+strings.Count(text, "<code>") || strings.Contains(got, "{{") {
			t.Fatalf("%q renders as %q", text, got)
		}
	})
}

func mustTemplates(t *testing.T, tags ...string) Templates {
	t.Helper()
	byTag := map[string]Template{}
	for _, tag := range tags {
		byTag[tag] = mustTemplate(t, tag+": {{.Code}}")
	}
	all, err := NewTemplates(byTag)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tags, locale, want string }{
		{"zh en", "zh-CN", "zh"}, {"zh en", "zh", "zh"}, {"zh en", "zh_CN", "zh"}, {"zh en", "zh-Hans-SG", "zh"},
		{"zh en", "zh-TW", "zh"}, {"zh en", "cmn", "zh"}, {"zh en", "ZH-cn", "zh"},
		{"zh en", "en-GB", "en"}, {"zh en", "fr", "en"}, {"zh en", "", "en"}, {"zh en", "nonsense!", "en"},
		{"zh en", "zh-CN-u-co-pinyin", "zh"}, {"zh en", "und", "en"}, {"zh en", "\xff\x00", "en"},
		{"zh en", strings.Repeat("zh-", 1000), "en"},
		{"de en zh", "fr", "en"}, {"de en zh", "", "en"}, {"zh de", "en", "de"}, {"zh de", "de-AT", "de"}, {"zh de en-US", "", "de"}, {"zh de en-US", "en", "en-US"},
		{"zh-Hans zh-Hant en", "zh-TW", "zh-Hant"}, {"zh-Hans zh-Hant en", "zh-HK", "zh-Hant"},
		{"zh-Hans zh-Hant en", "zh", "zh-Hans"}, {"pt-BR pt-PT en", "pt-AO", "pt-PT"},
	} {
		template, tag := mustTemplates(t, strings.Fields(c.tags)...).Match(c.locale)
		if tag != c.want {
			t.Errorf("%q among %s: %s, want %s", c.locale, c.tags, tag, c.want)
		}
		if got := template.Render(secret.New("1"), 0).Reveal(); got != c.want+": 1" {
			t.Errorf("%q among %s: the text is %q", c.locale, c.tags, got)
		}
	}
	if template, tag := (Templates{}).Match("en"); !template.IsZero() || tag != "" {
		t.Errorf("of none: %v, %q", template, tag)
	}
}

func TestNewTemplatesRefuses(t *testing.T) {
	t.Parallel()
	text := mustTemplate(t, "{{.Code}}")
	for name, byTag := range map[string]map[string]Template{
		"none":            {},
		"no tag":          {"klingonese!": text},
		"undetermined":    {"und": text},
		"an empty tag":    {"": text},
		"one tag twice":   {"zh-CN": text, "zh-cn": text},
		"the zero text":   {"en": {}},
		"an unknown part": {"en-XQ-zzzzzzzzz": text},
	} {
		if _, err := NewTemplates(byTag); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, seed := range []string{"zh-CN", "", "x-y", "en-u-rg-uszzzz", "und-Latn"} {
		f.Add(seed)
	}
	zh, _ := ParseTemplate("{{.Code}}")
	all, err := NewTemplates(map[string]Template{"en": zh, "zh": zh, "pt-BR": zh})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, locale string) {
		if template, tag := all.Match(locale); template.IsZero() || tag == "" {
			t.Fatalf("%q matches nothing", locale)
		}
	})
}
