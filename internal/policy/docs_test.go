package policy_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"smsd/internal/phone"
	"smsd/internal/policy"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

const page = "../../docs/policy.md"

func readPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var fenced = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// A piece of the page without scenes is tried with one. Only the piece that is about it has a rule that is off.
func TestTheExamplesOfThePageAreGood(t *testing.T) {
	t.Parallel()
	blocks := fenced.FindAllStringSubmatch(readPage(t), -1)
	if len(blocks) < 8 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		text := block[1]
		if !strings.HasPrefix(text, "scenes:") && !strings.Contains(text, "\nscenes:") {
			text += "scenes:\n  login:\n    templates: {en: \"{{.Code}}\"}\n    limits: [{name: cooldown, by: [phone], limit: 1, window: 60s}]\n"
		}
		_, warnings := parsed(t, text)
		if len(warnings) > 0 && !strings.Contains(text, "mode: off") {
			t.Errorf("%v in\n%s", warnings, text)
		}
	}
}

// The page names every word and every bound of the format.
func TestThePageIsComplete(t *testing.T) {
	t.Parallel()
	text := readPage(t)
	words := []string{"send", "verify", "guess", "log", "counter", "bucket", "fixed", "enforce", "shadow", "off", "same", "rotate", "phone", "prefix", "ip_net", "country", "reason", "until"}
	for k := throttle.Phone; k <= throttle.Prefix; k++ {
		words = append(words, k.String())
	}
	for typ := phone.Unknown; typ <= phone.Voicemail; typ++ {
		words = append(words, typ.String())
	}
	for _, key := range strings.Split("limits scenes test_numbers block local_block routes gateways apps name by limit window on algorithm mode burst code.length code.ttl code.attempts resend default_region countries number_types require templates text sign web_otp android_hash variables prices budget segments price segment", " ") {
		words = append(words, key)
	}
	for _, word := range words {
		if !strings.Contains(text, "`"+word+"`") && !strings.Contains(text, "`["+word+"]`") {
			t.Errorf("the page does not explain %s", word)
		}
	}
	for _, bound := range []int{throttle.MaxLimit, throttle.MaxLogLimit, throttle.MaxRules, throttle.MaxAutoLog, throttle.MaxScenes, sms.MaxTemplate, sms.MaxAndroid, sms.MaxVariable, sms.MaxVariables, sms.MaxParams, sms.MaxParam, sms.MaxLanguages, 64, 200, 1_000, 4_096, 10_000} {
		if !strings.Contains(text, thousands(bound)) {
			t.Errorf("the page does not state the bound %d", bound)
		}
	}
	if policy.MaxSize != 1<<20 {
		t.Error("the page says 1 MiB")
	}
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
