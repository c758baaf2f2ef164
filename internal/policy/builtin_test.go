package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/policy"
	"smsd/internal/secret"
)

// What smsd does without a policy file, rule by rule: users rely on these numbers, and docs/policy.md names them.
func TestTheBuiltInPolicy(t *testing.T) {
	t.Parallel()
	p := policy.BuiltIn()
	want := []string{
		`{phone-hour [phone] "" send 5 1h0m0s 0 0}`,
		`{phone-day [phone] "" send 10 24h0m0s 0 0}`,
		`{ip-burst [ip] "" send 25 5m0s 0 0}`,
		`{net-hour [ip_net] "" send 200 1h0m0s 0 0}`,
		`{range-hour [prefix] "" send 50 1h0m0s 0 0}`,
		`{total-hour [] "" send 10000 1h0m0s 0 0}`,
		`{verify-ip [ip] "" verify 60 1m0s 0 0}`,
		`{guesses [phone scene] "" guess 10 1h0m0s 0 0}`,
	}
	scenes := []string{"login", "register", "reset_password", "payment"}
	for _, scene := range scenes {
		want = append(want,
			fmt.Sprintf(`{cooldown [phone scene] %q send 1 1m0s 0 0}`, scene),
			fmt.Sprintf(`{hour [phone scene] %q send 4 1h0m0s 0 0}`, scene),
			fmt.Sprintf(`{day [phone scene] %q send 8 24h0m0s 0 0}`, scene),
			fmt.Sprintf(`{hour-source [phone scene ip_net] %q send 3 1h0m0s 0 0}`, scene))
	}
	if got, want := written(p.Rules.Rules()), "["+strings.Join(want, " ")+"]"; got != want {
		t.Errorf("rules:\n%s\nwant\n%s", got, want)
	}
	if len(p.Scenes) != len(scenes) || p.Version != "built-in" || len(p.TestNumbers)+len(p.Blocks) != 0 {
		t.Errorf("%+v", p)
	}
	if got := policy.UnboundedCountries(p); !slices.Equal(got, slices.Sorted(slices.Values(scenes))) {
		t.Errorf("scenes that serve every country: %v", got)
	}
}

func TestTheScenesOfTheBuiltInPolicy(t *testing.T) {
	t.Parallel()
	for name, s := range policy.BuiltIn().Scenes {
		if s.Name != name || s.CodeLength != 6 || s.TTL != 5*time.Minute || s.Attempts != 5 || s.Rotate || !s.Countries.All ||
			fmt.Sprint(s.NumberTypes) != "[mobile fixed_or_mobile]" || s.RequireDevice {
			t.Errorf("%+v", s)
		}
		if s.DefaultRegion != "" { // casdoor 1612: a national number without a region is invalid, nowhere somebody else's
			t.Errorf("%s: default_region %s", name, s.DefaultRegion)
		}
		for locale, want := range map[string]string{"zh-CN": "zh", "en-GB": "en", "": "en", "fr": "en"} {
			text, tag := s.Templates.Match(locale)
			message := text.Render(secret.New("012345"), s.TTL).Reveal()
			if tag != want || !strings.Contains(message, "012345") || !strings.Contains(message, "5") {
				t.Errorf("%s in %q: %s in %s", name, locale, message, tag)
			}
		}
	}
}

func TestTheBuiltInTextIsAFileWithoutWarnings(t *testing.T) {
	t.Parallel()
	text := policy.BuiltInText()
	if _, warnings := parsed(t, string(text)); len(warnings) > 0 {
		t.Error(warnings)
	}
	clear(text) // a copy
	if _, warnings := parsed(t, string(policy.BuiltInText())); len(warnings) > 0 {
		t.Error(warnings)
	}
}
