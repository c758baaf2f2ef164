package sms

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/secret"
)

// Whatever a template is made of: if it is taken, each wording of it has the code once, one signature at most (just that
// which was asked for, and in front), and ends in just the line that was asked for.
func FuzzNewTemplate(f *testing.F) {
	f.Add("{{.Code}}", "", "", "", "Example", "", "", "{{.Code}}")
	f.Add("验证码：{{.Code}}，{{.Minutes}}分钟内有效。", "示例科技", "app.example.com", "", "x", "{{.V}} {{.Code}}", "示例", "{{.Code}}")
	f.Add("【示例】{{.Code}} \n\n", "", "", "FA+9qCX9VSu", "x", "{{.Code}} {{.V}} \n", "", "a{{.Code}}b")
	f.Add("{{.Code}}\n@host {{.V}}", "{{.V}}", "a.b", "", "#1", "\n{{.Code}}", "{{.V}}", "{{.V}}")
	// What must not be taken, or it would break the promises below.
	f.Add("【甲】{{.Code}}【乙】", "", "", "", "x", "", "", "{{.Code}}")
	f.Add("【甲】{{.Code}}", "乙", "", "", "x", "", "", "{{.Code}}")
	f.Add("{{.Code}}", "乙", "", "", "x", "【甲】{{.Code}}", "", "{{.Code}}")
	f.Add("@a.b #1\n{{.Code}}", "", "", "", "x", "", "", "{{.Code}}")
	f.Add("{{.Code}}\n@a.b #{{.V}}\n.", "", "", "", "1", "", "", "{{.Code}}")
	f.Fuzz(func(t *testing.T, text, sign, host, hash, value, ownText, ownSign, param string) {
		if CheckVariable(value) != nil {
			return
		}
		o := TemplateOptions{Text: text, Sign: sign, WebOTP: host, AndroidHash: hash, Variables: Variables{"V": value}, Gateways: map[string]OwnOptions{
			"own": {Text: ownText, Sign: ownSign, Code: "1", Params: []ParamOptions{{Value: param}}},
		}}
		template, err := NewTemplate(o)
		if err != nil {
			return
		}
		checkWording(t, o, template, "", sign)
		if ownSign == "" {
			ownSign = sign
		}
		checkWording(t, o, template, "own", ownSign)
	})
}

// code is one that stands in no text by itself.
const code = "\x00\x01"

func checkWording(t *testing.T, o TemplateOptions, template Template, name, sign string) {
	t.Helper()
	w := template.Say(name, secret.New(code), time.Minute)
	said, codes, end := w.Text.Reveal(), 1, ""
	switch {
	case o.WebOTP != "":
		codes, end = 2, "@"+o.WebOTP+" #"+code
	case o.AndroidHash != "":
		end = o.AndroidHash
	}
	lines := strings.Split(said, "\n")
	if end != "" && (lines[len(lines)-1] != end || lines[len(lines)-2] != "" || lines[len(lines)-3] == "" || strings.HasSuffix(lines[len(lines)-3], " ")) {
		t.Errorf("%q does not end in %q after an empty line", said, end)
	}
	if n := strings.Count(said, code); n != codes {
		t.Errorf("%q: %d codes", said, n)
	}
	for _, line := range lines[:len(lines)-1] {
		if isBound(line) {
			t.Errorf("%q has a line that reads as bound to a host", said)
		}
	}
	if opens, closes := strings.Count(said, "【"), strings.Count(said, "】"); opens != closes || opens > 1 {
		t.Errorf("%q: %d 【, %d 】", said, opens, closes)
	}
	checkSigned(t, said, sign, o.Variables)
	if k := w.Template; k.IsZero() != (name == "") || !k.IsZero() && strings.Count(k.Params[0].Value.Reveal(), code) != 1 {
		t.Errorf("the carrier's template is %v", k)
	}
}

func checkSigned(t *testing.T, said, sign string, variables Variables) {
	t.Helper()
	if sign == "" {
		return
	}
	words, err := parseSign(sign, variables)
	if err != nil || !strings.HasPrefix(said, "【"+words+"】") {
		t.Errorf("%q does not begin with the signature %q: %v", said, sign, err)
	}
}

// Origin-bound one-time codes, sections 3.1 and 3.2: what is such a line, and what is none.
func TestLinesThatBindACode(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"@example.com #747723":                          true,
		"@example.com #747723 %ecommerce.example":       true,
		"@example.com #747723 trailing":                 true,
		"@x #1":                                         true,
		"something @example.com #747723":                false,
		"@example.com code #747723":                     false,
		"@example.com  #747723":                         false,
		"@example.com #":                                false,
		"@example.com # 747723":                         false,
		"@ #747723":                                     false,
		"#747723 %ecommerce.example @example.com":       false,
		"@example.com":                                  false,
		"747723 is your ExampleCo authentication code.": false,
	} {
		if got := isBound(line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	for host, want := range map[string]bool{
		"example.com": true, "a.b": true, "xn--fsqu00a.xn--fiqs8s": true, "1.example": true, long + ".com": true,
		"": false, "example": false, "Example.com": false, "example.com.": false, ".com": false, "a..b": false, "-a.b": false, "a-.b": false,
		"a_b.com": false, "192.0.2.1": false, "a.1b": false, "exämple.com": false, "a.b:443": false, "a.b/": false, "a b.c": false, "a.b\n": false,
		long + "a.com": false, strings.Repeat("a.", 126) + "com": false,
	} {
		if got := isHost(host); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
}

// What a variable may hold: names, in any language, and nothing that a phone or a program acts upon.
func TestVariableValues(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"Example", "示例科技", "Smith & Co. KG", "Version 2.0", "Dr. Smith", "فروشگاه نمونه", "می\u200cخواهم", "👩\u200d💻", "a/b", "No. 1: #7", "3.5.1", "Ärzte", "U.S. Mail", "示例。"} {
		if err := CheckVariable(value); err != nil {
			t.Errorf("%q: %v", value, err)
		}
	}
	for _, value := range []string{
		"", " ", "a ", "https://x", "HTTP://X", "ftp://x", "www.x", "WWW.X", "example.com", "EXAMPLE.COM/x", "see example.com now", "例子.中国", "ｅｘａｍｐｌｅ．ｃｏｍ",
		"example。com", "example｡com", "exa\u200dmple.c\u200com", "x.xn--p1ai", "192.0.2.7", "mailto:a", "a@b", "＠host #1", "@host #1", "a\nb", "a\rb", "a\tb", "a\x00b",
		"a\u0085b", "a\u2028b", "a\u2029b", "a\u202eb", "a\u200bb", "a\ufeffb", "a\u00adb", "\xff", "{{.Code}}", "a}}", "【a", "a】", strings.Repeat("x", MaxVariable+1),
	} {
		if err := CheckVariable(value); err == nil {
			t.Errorf("%q is taken", value)
		}
	}
}
