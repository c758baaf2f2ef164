package policy_test

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/policy"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// parsed parses a text that must be good.
func parsed(t *testing.T, text string) (*sms.Policy, []string) {
	t.Helper()
	p, warnings, err := policy.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p, warnings
}

func TestEveryKey(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, `
limits:
  - {name: all, by: [], limit: 1000000, window: 30d}
  - {name: log, by: [ip_net, device, app], limit: 1000, window: 1s, algorithm: log, on: send, mode: shadow}
  - {name: bucket, by: [ip], limit: 1, window: 30d, algorithm: bucket}
  - {name: bursts, by: [ip], limit: 2, window: 1d, algorithm: bucket, burst: 60}
  - {name: fixed, by: [ip], limit: 1000000, window: 30d, algorithm: fixed}
scenes:
  pay-in:
    code: {length: 10, ttl: 24h, attempts: 20}
    resend: rotate
    default_region: CN
    countries: [CN, US, "001"]
    number_types: [unknown, voip]
    require: [device]
    templates: {en: "{{.Code}}", zh-Hant: "{{.Code}}"}
    limits:
      - {name: guesses, by: [phone, scene], limit: 100, window: 1d12h, on: guess, algorithm: counter}
      - {name: tries, by: [country, prefix], limit: 7, window: 1500ms, on: verify, mode: off}
test_numbers:
  - {phone: "+86 138-0000-0000", code: 0000, until: 2026-12-31}
  - {phone: +8613800000001, code: "1234567890"}
block:
  - {phone: "+8613900000000", reason: "asked for it", until: 2026-12-31T18:00:00+08:00}
  - {prefix: "+86139"}
  - {ip_net: 203.0.113.0/24}
  - {ip_net: "2001:db8::/48"}
  - {country: KP}
`)
	scene := p.Scenes["pay-in"]
	if scene.Name != "pay-in" || scene.CodeLength != 10 || scene.TTL != 24*time.Hour || scene.Attempts != 20 || !scene.Rotate ||
		scene.DefaultRegion != "CN" || scene.Countries.All || !maps.Equal(scene.Countries.Named, map[string]bool{"CN": true, "US": true, phone.World: true}) ||
		fmt.Sprint(scene.NumberTypes) != "[unknown voip]" || !scene.RequireDevice {
		t.Errorf("scene: %+v", scene)
	}
	if _, tag := scene.Templates.Match("zh-TW"); tag != "zh-Hant" {
		t.Errorf("template of zh-TW: %s", tag)
	}
	const want = `[{all [] "" send 1000000 720h0m0s 0 0} {log [ip_net device app] "" send 1000 1s 1 1} ` +
		`{bucket [ip] "" send 1 720h0m0s 3 0} {bursts [ip] "" send 2 24h0m0s burst 60 3 0} {fixed [ip] "" send 1000000 720h0m0s 4 0} ` +
		`{guesses [phone scene] "pay-in" guess 100 36h0m0s 2 0} {tries [country prefix] "pay-in" verify 7 1.5s 0 2}]`
	if got := written(p.Rules.Rules()); got != want {
		t.Errorf("rules:\n%s\nwant\n%s", got, want)
	}
	wantTests := map[phone.Number]sms.TestNumber{
		phone.MustParse("+8613800000000"): {Code: secret.New("0000"), Until: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)},
		phone.MustParse("+8613800000001"): {Code: secret.New("1234567890")},
	}
	same := func(a, b sms.TestNumber) bool { return a.Code.Same(b.Code) && a.Until.Equal(b.Until) }
	if !maps.EqualFunc(p.TestNumbers, wantTests, same) {
		t.Errorf("test numbers: %v", p.TestNumbers)
	}
	wantBlocks := []sms.Block{
		{Number: phone.MustParse("+8613900000000"), Reason: "asked for it", Until: time.Date(2026, 12, 31, 10, 0, 0, 0, time.UTC)},
		{Prefix: "+86139"}, {Network: netip.MustParsePrefix("203.0.113.0/24")}, {Network: netip.MustParsePrefix("2001:db8::/48")}, {Country: "KP"},
	}
	for i, want := range wantBlocks {
		want.Place = fmt.Sprintf("block[%d]", i)
		if p.Blocks[i] != want {
			t.Errorf("block %d: %v, want %v", i, p.Blocks[i], want)
		}
	}
}

func written(rules []throttle.Rule) string {
	var out []string
	for _, r := range rules {
		burst := ""
		if r.Burst != 0 {
			burst = fmt.Sprintf(" burst %d", r.Burst)
		}
		out = append(out, fmt.Sprintf("{%s %v %q %v %d %s%s %d %d}", r.Name, r.By, r.Scene, r.On, r.Limit, r.Window, burst, r.Algorithm, r.Mode))
	}
	return "[" + strings.Join(out, " ") + "]"
}

func TestWhatASceneLeavesOut(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, `scenes: {login: {templates: {en: "{{.Code}}"}}}`)
	s := p.Scenes["login"]
	if s.CodeLength != 6 || s.TTL != 5*time.Minute || s.Attempts != 5 || s.Rotate || s.DefaultRegion != "" || !s.Countries.All ||
		fmt.Sprint(s.NumberTypes) != "[mobile fixed_or_mobile]" || s.RequireDevice || len(p.Rules.Rules()) != 0 {
		t.Errorf("%+v, rules %v", s, p.Rules.Rules())
	}
}

func TestTheVersionNamesTheText(t *testing.T) {
	t.Parallel()
	a, _ := parsed(t, `scenes: {login: {templates: {en: "{{.Code}}"}}}`)
	b, _ := parsed(t, `scenes: {login: {templates: {en: "{{.Code}}"}}} # and a comment`)
	if a.Version == b.Version || !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(a.Version) {
		t.Errorf("%s, %s", a.Version, b.Version)
	}
}

// What no file of testdata can hold, or only a large one.
func TestBustedTexts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"nothing":            {"", "line 1, column 1: the file is empty"},
		"blanks":             {" \n\n", "line 1, column 1: the file is empty"},
		"an empty mark":      {"---\n", "line 1, column 1: the file is empty"},
		"not UTF-8":          {"scenes: \xff\xfe", "is not YAML"},
		"NUL":                {"scenes: \x00", "is not YAML"},
		"too large":          {strings.Repeat("#", policy.MaxSize+1), "larger than 1048576 bytes"},
		"deep":               {"scenes: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested more than 16 deep"},
		"deeper":             {strings.Repeat("[", 500_000), "is not YAML"},
		"deep in blocks":     {strings.Repeat("- ", 9_000) + "x", "nested more than 16 deep"},
		"many values":        {"scenes: [" + strings.Repeat("a,", 200_000) + "]", "more than 200000 values"},
		"many scenes":        {"scenes:\n" + repeat(65, "  s%d: {templates: {en: \"{{.Code}}\"}}\n"), "scenes: has 65 scenes, at most 64 are allowed"},
		"many rules":         {"scenes:\n  s:\n    templates: {en: \"{{.Code}}\"}\n    limits:\n" + repeat(129, "      - {name: r%d, by: [ip], limit: 1, window: 1s}\n") + "limits:\n" + repeat(128, "  - {name: g%d, by: [ip], limit: 1, window: 1s}\n"), "has 257 rules in all, at most 256 are allowed"},
		"many test codes":    {"scenes:\n  s: {templates: {en: \"{{.Code}}\"}}\ntest_numbers:\n" + repeat(10_001, "  - {phone: \"+86138%08d\", code: \"0000\"}\n"), "test_numbers: has 10001 entries, at most 10000 are allowed"},
		"many blocks":        {"scenes:\n  s: {templates: {en: \"{{.Code}}\"}}\nblock:\n" + repeat(10_001, "  - {prefix: \"+86138%d\"}\n"), "block: has 10001 entries, at most 10000 are allowed"},
		"many languages":     {"scenes:\n  s:\n    templates:\n" + repeat(201, "      en-x-%04d: \"{{.Code}}\"\n"), "templates: has 201 languages, at most 200 are allowed"},
		"a long key":         {"scenes: {}\n" + strings.Repeat("k", 1000) + ": 1\n", strings.Repeat("k", 64) + "...\": unknown key; known are"},
		"billion laughs":     {"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b]\nscenes: *c\n", "scenes: aliases (*name) are not supported"},
		"an alias of itself": {"scenes: &a [*a]\n", "scenes[0]: aliases (*name) are not supported"},
		"many faults":        {"scenes: {}\n" + repeat(300, "key%d: 1\n"), "101 more faults are not shown"},
	} {
		p, _, err := policy.Parse([]byte(c.text))
		var faults policy.Faults
		if !errors.As(err, &faults) || p != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %.300v", name, c.want, err)
		}
		if len(faults) > 201 {
			t.Errorf("%s: %d faults", name, len(faults))
		}
	}
}

// Each rule is compared with each, which is not to be done with more than are allowed.
func TestTooManyRulesAreNotCompared(t *testing.T) {
	t.Parallel()
	_, warnings, err := policy.Parse([]byte("limits:\n" + repeat(200, "  - {name: g%d, by: [ip], limit: 1, window: 1s}\n") +
		"scenes:\n  s:\n    templates: {en: \"{{.Code}}\"}\n    limits:\n" + repeat(200, "      - {name: r%d, by: [ip], limit: 1, window: 1s}\n")))
	if err == nil || len(warnings) > 0 {
		t.Errorf("%d warnings, %v", len(warnings), err)
	}
}

func TestManyWarningsAreCut(t *testing.T) {
	t.Parallel()
	_, warnings := parsed(t, "scenes: {s: {templates: {en: \"{{.Code}}\"}}}\nblock:\n"+repeat(300, "  - {prefix: \"+86138%03d\", until: 2001-01-01}\n"))
	if len(warnings) != 201 || warnings[200] != "101 more warnings are not shown" {
		t.Errorf("%d warnings, at the end %s", len(warnings), warnings[len(warnings)-1])
	}
}

func repeat(n int, format string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, format, i)
	}
	return out.String()
}

// As many blocks as there may be, beside test numbers.
func TestTheLargestListsAreTaken(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, "scenes:\n  s: {templates: {en: \"{{.Code}}\"}}\nblock:\n"+repeat(10_000, "  - {prefix: \"+86138%d\", reason: spam, until: 2126-12-31}\n")+
		"test_numbers:\n"+repeat(1_000, "  - {phone: \"+86138%08d\", code: \"0000\"}\n"))
	if len(p.Blocks) != 10_000 || len(p.TestNumbers) != 1_000 {
		t.Errorf("%d blocks, %d test numbers", len(p.Blocks), len(p.TestNumbers))
	}
}

// Faults and warnings go to logs: no number, address or code of a file may be in them.
func TestNothingPersonalIsInAFault(t *testing.T) {
	t.Parallel()
	const scene = "scenes:\n  login:\n    templates: {en: \"{{.Code}}\"}\n"
	personal := []string{"8613800138000", "13800138000", "138 0013 8000", "+86 138-0013-8000", "203.0.113.77", "204.0.113.0", "2001:db8:77::1", "864213", "7421"}
	for _, value := range personal {
		for _, form := range []string{
			"test_numbers: [{phone: '%s', code: '%s x', until: '%s'}]",
			"test_numbers: [{phone: '+%s', code: '%s', until: 2001-01-01}, {phone: '+%[1]s', code: '%[1]s', until: 2001-01-01}]",
			"test_numbers: {'%s': '%s'}",
			"block: [{phone: '%s', prefix: '%s'}]",
			"block: [{phone: '%s x'}, {prefix: '%s'}, {country: '%s'}]",
			"block: [{ip_net: '%s'}, {ip_net: '%s/9'}, {'%s': 1}]",
			"block: [&n%s x, *n%[1]s]",
			"block: *n%s",
			"block: !n%s x",
			"'%s': 1",
			"variables: {'%s': 'example.com'}",
			"variables: {P: '@%s', Q: '{{%[1]s}}', R: '%[1]s.example.com'}",
			"limits: [{name: '%s', by: [phone], limit: '%s', window: '%s'}]",
			"limits: [{name: a, by: ['%s'], on: '%s', algorithm: '%s', limit: 0, window: 1h}]",
			"block: [%s",
			"block: '%s",
			"block:\n  - a\n %s\n",
			"block: {%s: 1, %[1]s: 2}",
			"block: \"\\%s\"",
			"%%%s",
			"block: [{country: CN, reason: \"%s\\n\"}]",
		} {
			text := scene + strings.ReplaceAll(strings.ReplaceAll(form, "%[1]s", value), "%s", value)
			_, warnings, err := policy.Parse([]byte(text))
			said := strings.Join(append(warnings, fmt.Sprint(err)), "\n")
			if digits(value, said) {
				t.Errorf("%s: %s", text[len(scene):], said)
			}
		}
		wording := strings.ReplaceAll("variables: {'%s': a}\nscenes: {login: {templates: {en: {text: '{{.Code}} {{.%s}}', sign: '【%s】', web_otp: '%s', android_hash: '%s', gateways: {'%s': 1, b: {code: '%s', params: ['{{.v%s}}', '%s.com']}, c: {code: '%s模', params: {'%s %s': '{{.V%s}}'}}}}}}}", "%s", strings.Map(plain, value))
		if _, _, err := policy.Parse([]byte(wording)); err == nil || digits(value, err.Error()) {
			t.Errorf("%s: %v", wording, err)
		}
		template := strings.ReplaceAll("scenes: {login: {templates: {'%s': '{{.Code}}', en: '{{.Code}} {{.N%s}} %s'}, default_region: '%s', countries: ['%s'], number_types: ['%s'], resend: '%s', code: {length: '%s'}}}", "%s", value)
		if _, _, err := policy.Parse([]byte(template)); err == nil || digits(value, err.Error()) {
			t.Errorf("%s: %v", template, err)
		}
	}
}

// plain leaves out what no name of a variable has.
func plain(r rune) rune {
	if strings.ContainsRune("0123456789abcdef", r) {
		return r
	}
	return -1
}

// digits reports whether text holds value, or its digits however separated.
func digits(value, text string) bool {
	strip := regexp.MustCompile(`[^0-9a-f:]`)
	return strings.Contains(text, value) || strings.Contains(strip.ReplaceAllString(text, ""), strip.ReplaceAllString(value, ""))
}

func TestNothingPersonalIsInAFaultOfTestdata(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/*.yaml")
	value := regexp.MustCompile(`\+?[0-9][0-9 -]{6,}[0-9]`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := policy.Parse(text)
		said := strings.Join(append(warnings, fmt.Sprint(err)), "\n")
		if found := value.FindString(said); found != "" && !strings.Contains(said, "2026-12-31") {
			t.Errorf("%s: %q in %s", file, found, said)
		}
	}
}

// What only throttle can tell: two names of scenes that it can't tell apart.
func TestScenesThatCollideAreAFault(t *testing.T) {
	t.Parallel()
	var names []string
	for n := range 2000 { // as many as collide for sure, if marks have two bytes
		names = append(names, fmt.Sprintf("s%d", n))
	}
	_, err := throttle.Compile(nil, names)
	pair := regexp.MustCompile(`"(s[0-9]+)" and "(s[0-9]+)"`).FindStringSubmatch(fmt.Sprint(err))
	if pair == nil {
		t.Fatalf("no two names collide: %v", err)
	}
	const scene = "  %s: {templates: {en: \"{{.Code}}\"}}\n"
	_, _, err = policy.Parse([]byte("scenes:\n" + fmt.Sprintf(scene, pair[1]) + fmt.Sprintf(scene, pair[2])))
	if err == nil || !strings.HasPrefix(err.Error(), "line 2, column 3: scenes: scenes "+pair[0]) {
		t.Error(err)
	}
}
