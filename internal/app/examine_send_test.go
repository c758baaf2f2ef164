package app

import (
	"os"
	"path/filepath"
	"testing"

	"smsd/internal/config"
	"smsd/internal/phone"
)

// trial is a message to nobody, of the built-in policy.
var trial = TestMessage{To: phone.MustParse("+8613800138000"), Scene: "login"}

// What a test message is known by can be guessed no more than what a send's is: both are random UUIDs, not those that a clock counts.
func TestATrialIsNamedAtRandom(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 3 {
		made, err := PrepareTest(settings(t), trial)
		if err != nil {
			t.Fatal(err)
		}
		defer made.router.Close()
		for _, id := range []string{made.message.ID, made.message.SMSID} {
			const version = 14 // of a UUID as text, after two dashes (RFC 9562, section 4)
			if len(id) != 36 || id[version] != '4' || seen[id] {
				t.Errorf("id %q", id)
			}
			seen[id] = true
		}
	}
}

// Between the check of the settings and what is done by them somebody may have changed the policy's file.
func TestPolicyChangedSinceItWasChecked(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.PolicyFile = filepath.Join(t.TempDir(), "policy.yaml")
	for name, text := range map[string]string{"not whole": "scenes: {login: {", "at fault": "scenes: {login: {colour: red}}"} {
		if err := os.WriteFile(cfg.PolicyFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := PrepareTest(cfg, trial); !isFaults(err) {
			t.Errorf("%s: a test message: %v", name, err)
		}
		if found, err := ExamineGateways(t.Context(), cfg, GatewayNames(cfg)); !isFaults(err) || found != nil {
			t.Errorf("%s: an examination: %v, %v", name, found, err)
		}
	}
}

func isFaults(err error) bool {
	_, ok := err.(config.Faults)
	return ok
}
