package policy_test

import (
	"strings"
	"testing"

	"smsd/internal/policy"
)

func TestWarnings(t *testing.T) {
	t.Parallel()
	const top = "scenes:\n  login:\n    templates: {en: \"{{.Code}}\"}\n    limits:\n      - {name: hour, by: [phone], limit: 4, window: 1h}\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":                                                 {"", ""},
		"the same rule twice: the later":                          {"limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 5, window: 1h}]", `line 6, column 53: limits[1]: rule "b": can never bind: rule "a" on line 6 is always at least as strict`},
		"a shorter window":                                        {"limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 5, window: 24h}]", `limits[0]: rule "a": can never bind: rule "b"`},
		"a coarser subject":                                       {"limits: [{name: a, by: [phone, ip], limit: 9, window: 1h}, {name: b, by: [ip], limit: 9, window: 1h}]", `limits[0]: rule "a": can never bind: rule "b"`},
		"a subject that contains the other":                       {"limits: [{name: a, by: [ip], limit: 9, window: 1h}, {name: b, by: [ip_net], limit: 9, window: 1h}]", `limits[0]: rule "a": can never bind: rule "b"`},
		"a rule of the scene under one of all":                    {"limits: [{name: a, by: [phone], limit: 3, window: 1h}]", `scenes.login.limits[0]: rule "login/hour": can never bind: rule "a"`},
		"one of all is not under the scene's":                     {"limits: [{name: a, by: [phone], limit: 9, window: 1h}]", ""},
		"a finer subject":                                         {"limits: [{name: a, by: [phone, ip], limit: 3, window: 1h}, {name: b, by: [phone], limit: 9, window: 1h}]", ""},
		"another event":                                           {"limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 9, window: 1h, on: verify}]", ""},
		"under a shadow":                                          {"limits: [{name: a, by: [ip], limit: 5, window: 1h, mode: shadow}, {name: b, by: [ip], limit: 9, window: 1h}]", ""},
		"a shadow under another":                                  {"limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 9, window: 1h, mode: shadow}]", `limits[1]: rule "b": can never bind: rule "a"`},
		"off":                                                     {"limits: [{name: a, by: [ip], limit: 5, window: 1h, mode: off}]", `limits[0]: rule "a": is off`},
		"a log under a counter":                                   {"limits: [{name: a, by: [ip], limit: 100, window: 1h, algorithm: log}, {name: b, by: [ip], limit: 90, window: 1h, algorithm: counter}]", ""},
		"a log far under a counter":                               {"limits: [{name: a, by: [ip], limit: 100, window: 1h, algorithm: log}, {name: b, by: [ip], limit: 50, window: 1h, algorithm: counter}]", `limits[0]: rule "a": can never bind: rule "b"`},
		"a longer window that the shorter one can't fill":         {"limits: [{name: a, by: [ip], limit: 1, window: 1m}, {name: b, by: [ip], limit: 60, window: 1h}]", `limits[1]: rule "b": can never bind: rule "a"`},
		"a longer window that the shorter one can fill":           {"limits: [{name: a, by: [ip], limit: 1, window: 1m}, {name: b, by: [ip], limit: 59, window: 1h}]", ""},
		"guesses, which may all come at once":                     {"limits: [{name: a, by: [ip], limit: 1, window: 1m, on: guess}, {name: b, by: [ip], limit: 60, window: 1h, on: guess}]", ""},
		"guesses in a longer window":                              {"limits: [{name: a, by: [ip], limit: 5, window: 1h, on: guess}, {name: b, by: [ip], limit: 9, window: 1h, on: guess, algorithm: fixed}]", `limits[1]: rule "b": can never bind: rule "a"`},
		"guesses of a counter, whose weight fades":                {"limits: [{name: a, by: [ip], limit: 5, window: 1h, on: guess, algorithm: counter}, {name: b, by: [ip], limit: 10, window: 1h, on: guess}]", ""},
		"a bucket that never fills":                               {"limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 5, window: 1h, algorithm: bucket}]", `limits[1]: rule "b": can never bind: rule "a"`},
		"a bucket that fills by a burst":                          {"limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 5, window: 1h, algorithm: bucket, burst: 4}]", ""},
		"a bucket that fills in the long run":                     {"limits: [{name: a, by: [ip], limit: 5, window: 1h}, {name: b, by: [ip], limit: 4, window: 1h, algorithm: bucket, burst: 9}]", ""},
		"a fixed under a bucket, from which may be given back":    {"limits: [{name: a, by: [ip], limit: 5, window: 1h, algorithm: bucket}, {name: b, by: [ip], limit: 500, window: 1h, algorithm: fixed}]", ""},
		"a bucket under a smaller one":                            {"limits: [{name: a, by: [ip], limit: 5, window: 1h, algorithm: bucket, burst: 3}, {name: b, by: [ip], limit: 5, window: 1h, algorithm: bucket}]", `limits[1]: rule "b": can never bind: rule "a"`},
		"a log under a fixed":                                     {"limits: [{name: a, by: [ip], limit: 5, window: 1h, algorithm: fixed}, {name: b, by: [ip], limit: 10, window: 1h}]", `limits[1]: rule "b": can never bind: rule "a"`},
		"a log just under a fixed":                                {"limits: [{name: a, by: [ip], limit: 5, window: 1h, algorithm: fixed}, {name: b, by: [ip], limit: 8, window: 1h}]", ""},
		"a counter under a coarser one, whose buckets are others": {"limits: [{name: a, by: [ip, device], limit: 100, window: 1h}, {name: b, by: [ip], limit: 100, window: 1h}]", ""},
		"a counter under one of the same buckets":                 {"limits: [{name: a, by: [ip], limit: 101, window: 1h}, {name: b, by: [ip], limit: 100, window: 1h}]", `limits[0]: rule "a": can never bind: rule "b"`},
		"a verify by device":                                      {"limits: [{name: a, by: [device], limit: 5, window: 1h, on: verify}]", `limits[0]: rule "a": can never bind: a verify is counted under app, ip, ip_net and scene alone, not under device; limit clients (by: [ip]), or wrong codes for a number (by: [phone], on: guess)`},
		"a verify by phone":                                       {"limits: [{name: a, by: [phone], limit: 5, window: 1h, on: verify}]", `not under phone; `},
		"a verify by prefix":                                      {"limits: [{name: a, by: [prefix], limit: 5, window: 1h, on: verify, mode: shadow}]", `not under prefix; `},
		"a verify by country, among others":                       {"limits: [{name: a, by: [ip, country, phone], limit: 5, window: 1h, on: verify}]", `not under country, phone; `},
		"a verify by phone, of a scene":                           {"      - {name: tries, by: [phone], limit: 5, window: 1h, on: verify}", `scenes.login.limits[1]: rule "login/tries": can never bind: a verify`},
		"a verify by its client and scene":                        {"limits: [{name: a, by: [app, ip, scene], limit: 5, window: 1h, on: verify}, {name: b, by: [ip_net], limit: 9, window: 1h, on: verify}]", ""},
		"a guess by device":                                       {"limits: [{name: a, by: [phone, device], limit: 5, window: 1h, on: guess}]", `limits[0]: rule "a": can never bind: a wrong code is not counted under device; limit wrong codes for a number (by: [phone]), or sends`},
		"a guess by all else":                                     {"limits: [{name: a, by: [phone, prefix, country, ip, ip_net, app, scene], limit: 5, window: 1h, on: guess}]", ""},
		"twice in a scene":                                        {"      - {name: again, by: [phone], limit: 4, window: 1h}", `rule "login/again": can never bind: rule "login/hour" on line 5`},
		"apps are told apart anyway":                              {"limits: [{name: a, by: [ip], limit: 9, window: 1h}, {name: b, by: [ip, app], limit: 5, window: 1h}]", `limits[0]: rule "a": can never bind: rule "b"`},
		"a test number past its end":                              {"test_numbers: [{phone: \"+8613800000000\", code: \"0000\", until: 2001-01-01}]", `line 6, column 63: test_numbers[0].until: has passed`},
		"a test number that nobody serves":                        {"test_numbers: [{phone: \"+861012345678\", code: \"0000\", until: 2126-01-01}]", `line 6, column 16: test_numbers[0]: no scene serves this number`},
		"a block past its end":                                    {"block: [{country: KP, until: 2001-01-01}]", `block[0].until: has passed`},
		"a local block by address":                                {"limits: [{name: a, by: [ip], limit: 9, window: 1h}]\nlocal_block: 60s", ""},
		"a local block by device, of wrong codes by address":      {"limits: [{name: a, by: [ip, scene], limit: 9, window: 1h, on: guess}]\nlocal_block: 60s", ""},
		"a local block that is off":                               {"local_block: 0s", ""},
		"a local block of nobody":                                 {"local_block: 60s", "line 6, column 14: local_block: blocks nobody"},
		"a local block of pairs, networks and verifies":           {"limits: [{name: a, by: [ip, phone], limit: 3, window: 1h}, {name: n, by: [ip, prefix], limit: 4, window: 1h}, {name: b, by: [ip_net], limit: 9, window: 1h}, {name: c, by: [ip], limit: 9, window: 1h, on: verify}, {name: d, by: [device], limit: 9, window: 1h, mode: shadow}]\nlocal_block: 60s", "local_block: blocks nobody"},
		"all addresses":                                           {"block: [{ip_net: 0.0.0.0/0}]", `block[0].ip_net: blocks every address`},
		"a default region that is not served":                     {"    default_region: CN\n    countries: [US]", "scenes.login: does not serve its default_region"},
		"a scene that nothing limits":                             {"  free:\n    templates: {en: \"{{.Code}}\"}\n    limits: [{name: a, by: [phone, ip], limit: 1, window: 1h}]", `scenes.free: no enforced rule counts sends by phone`},
	} {
		_, warnings := parsed(t, top+c.text+"\n")
		switch {
		case c.want == "" && len(warnings) > 0, c.want != "" && len(warnings) != 1:
			t.Errorf("%s: %q, want %q", name, warnings, c.want)
		case c.want != "" && !strings.Contains(warnings[0], c.want):
			t.Errorf("%s: %q lacks %q", name, warnings[0], c.want)
		}
	}
}

// What counts nothing neither covers a rule nor is covered by one.
func TestARuleThatNeverCountsCoversNone(t *testing.T) {
	t.Parallel()
	_, warnings := parsed(t, "limits:\n"+
		"  - {name: verify-phone, by: [phone], limit: 5, window: 1h, on: verify}\n"+
		"  - {name: verify-prefix, by: [prefix], limit: 5, window: 1h, on: verify}\n"+
		"  - {name: verify-ip, by: [ip], limit: 5, window: 1h, on: verify}\n"+
		"  - {name: verify-pair, by: [ip, phone], limit: 9, window: 1h, on: verify}\n"+
		"scenes: {s: {templates: {en: \"{{.Code}}\"}, limits: [{name: hour, by: [phone], limit: 4, window: 1h}]}}\n")
	for i, kind := range []string{"phone", "prefix", "phone"} {
		if len(warnings) != 3 || !strings.Contains(warnings[i], "not under "+kind+";") {
			t.Errorf("%q", warnings)
		}
	}
}

// iterate PR 1273: the production profile asks.
func TestTestNumbersWithoutEnd(t *testing.T) {
	t.Parallel()
	p, _ := parsed(t, "scenes: {login: {countries: [CN], templates: {en: \"{{.Code}}\"}}, pay: {templates: {en: \"{{.Code}}\"}}}\n"+
		"test_numbers:\n  - {phone: \"+8613800000000\", code: \"0000\"}\n  - {phone: \"+8613800000001\", code: \"0000\", until: 2126-01-01}\n")
	if n := policy.TestNumbersWithoutEnd(p); n != 1 {
		t.Errorf("%d test numbers without an end", n)
	}
	if names := policy.UnboundedCountries(p); len(names) != 1 || names[0] != "pay" {
		t.Errorf("scenes that serve every country: %v", names)
	}
}
