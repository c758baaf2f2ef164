package app

import (
	"os"
	"strings"
	"testing"

	"smsd/internal/config"
	"smsd/internal/policy"
	"smsd/internal/testserver"
)

// iterate PR 1273: what production does not start with must not come in by a reload either.
func TestAReloadInProductionIsCheckedAsTheStartIs(t *testing.T) {
	t.Parallel()
	world := string(policy.BuiltInText())
	china := strings.ReplaceAll(world, `countries: ["*"]`, "countries: [CN]")
	if china == world {
		t.Fatal("the built-in policy was to serve every country")
	}
	a, logged := startApp(t, productionConfig(t, writeFile(t, "policy.yaml", china)))
	a.farewell = 0 // nobody stands before it
	inForce := a.policy.Current().Version
	for name, text := range map[string]string{
		"allow_world": world,
		"end date":    strings.Replace(china, "test_numbers: []", "test_numbers: [{phone: \"+8613800000000\", code: \"000000\"}]", 1),
	} {
		if err := os.WriteFile(a.cfg.PolicyFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := a.Reload(); err == nil || !strings.Contains(err.Error(), name) || a.policy.Current().Version != inForce {
			t.Errorf("%s: error %v, version %s", name, err, a.policy.Current().Version)
		}
	}
	if !strings.Contains(logged.String(), "messages reach nobody") {
		t.Error("production on the mock gateway was to say so")
	}
}

// productionConfig is one that production starts with.
func productionConfig(t *testing.T, policyFile string) *config.Config {
	t.Helper()
	cfg, err := config.Load(config.Options{Environ: []string{
		"SMSD_PROFILE=production", "SMSD_ALLOW_MOCK=true", "SMSD_POLICY_FILE=" + policyFile,
		"SMSD_REDIS_URL=" + testserver.Redis(t).URL(),
		"SMSD_SECRET=" + strings.Repeat("5a", 32), "SMSD_ADMIN_TOKEN=" + strings.Repeat("t", 32),
		"SMSD_HTTP_LISTEN=127.0.0.1:0", "SMSD_ADMIN_LISTEN=127.0.0.1:0",
	}})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}
