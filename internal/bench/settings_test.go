package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/policy"
)

// adminToken opens the inbox, where the codes are.
var adminToken = strings.Repeat("t", 32)

// common are the settings of every instance: loopback, and limiters of the process out of the way, except
// where they are what is measured. Every request names its client as a proxy does.
func common(t testing.TB) []string {
	return []string{
		"SMSD_HTTP_LISTEN=127.0.0.1:0", "SMSD_ADMIN_LISTEN=127.0.0.1:0", "SMSD_ADMIN_TOKEN=" + adminToken,
		"SMSD_TRUSTED_PROXIES=127.0.0.1/32", "SMSD_DATA_DIR=" + t.TempDir(),
		"SMSD_REDIS_BUDGET=5s", // the most there is: a busy machine is no reason to answer 503 here
		"SMSD_LOCAL_RATE=1000000", "SMSD_LOCAL_BURST=1000000", "SMSD_LOCAL_IP_RATE=1000000", "SMSD_LOCAL_IP_BURST=1000000",
	}
}

// production are the settings of an instance on Redis. An instance without Redis can only be of the profile
// dev, which also tells of the limits in each answer.
func production(redisURL, prefix string) []string {
	return []string{
		"SMSD_PROFILE=production", "SMSD_ALLOW_MOCK=true", "SMSD_ALLOW_WORLD=true", "SMSD_SECRET=" + strings.Repeat("5a", 32),
		"SMSD_REDIS_URL=" + redisURL, "SMSD_REDIS_PREFIX=" + prefix,
	}
}

// exhausted are settings of one of the limiters in the process, SMSD_LOCAL_ or SMSD_LOCAL_IP_, with which the second
// send is refused, and every one after it.
func exhausted(limiter string) []string { return []string{limiter + "RATE=0.001", limiter + "BURST=1"} }

// sevenRules is the policy that the figures asked for are about: seven rules over a phone and an address,
// which are two keys, and the code.
const sevenRules = `
limits:
  - {name: phone-hour, by: [phone], limit: 5, window: 1h}
  - {name: phone-day, by: [phone], limit: 10, window: 24h}
  - {name: ip-burst, by: [ip], limit: 25, window: 5m}
  - {name: guesses, by: [phone, scene], limit: 10, window: 1h, on: guess}
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: ["*"]
    number_types: [mobile, fixed_or_mobile]
    templates: {en: "{{.Code}} is your login code. It works for {{.Minutes}} minutes. Never share it."}
    limits:
      - {name: cooldown, by: [phone, scene], limit: 1, window: 60s}
      - {name: hour, by: [phone, scene], limit: 4, window: 1h}
      - {name: day, by: [phone, scene], limit: 8, window: 24h}
`

// builtInUnbound is the built-in policy with room for more than 10,000 sends in an hour.
func builtInUnbound(t testing.TB) string {
	text := string(policy.BuiltInText())
	raised := strings.Replace(text, "limit: 10000,", "limit: 1000000,", 1)
	if raised == text {
		t.Fatal("the built-in policy has no total-hour of 10,000 any more")
	}
	return raised
}

// policyFile returns the setting that names a file with text.
func policyFile(t testing.TB, text string) string {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "SMSD_POLICY_FILE=" + path
}
