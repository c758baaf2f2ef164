package app

import (
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
	s := start(t, china, production(t))
	s.app.farewell = 0 // nobody stands before it
	inForce := s.app.policy.Current().Version
	for name, text := range map[string]string{
		"allow_world": world,
		"end date":    strings.Replace(china, "test_numbers: []", "test_numbers: [{phone: \"+8613800000000\", code: \"000000\"}]", 1),
		// a section of an app is no way round it
		"apps.shop.scenes.pay": china + "apps: {shop: {scenes: {pay: {templates: {en: \"{{.Code}}\"}}}}}\n",
		"there are 1":          china + "apps: {shop: {test_numbers: [{phone: \"+8613800000000\", code: \"000000\"}]}}\n",
	} {
		write(t, s.policy, text)
		if err := s.app.Reload(); err == nil || !strings.Contains(err.Error(), name) || s.app.policy.Current().Version != inForce {
			t.Errorf("%s: error %v, version %s", name, err, s.app.policy.Current().Version)
		}
	}
	if !strings.Contains(s.log.String(), "messages reach nobody") {
		t.Error("production on the mock gateway was to say so")
	}
}

// production is what production starts with, but for the policy.
func production(t *testing.T) setting {
	t.Helper()
	cfg, err := config.Load(config.Options{Environ: []string{
		"SMSD_PROFILE=production", "SMSD_ALLOW_MOCK=true",
		"SMSD_REDIS_URL=" + testserver.Redis(t).URL(),
		"SMSD_SECRET=" + strings.Repeat("5a", 32), "SMSD_ADMIN_TOKEN=" + strings.Repeat("t", 32),
		"SMSD_DATA_DIR=" + t.TempDir(), "SMSD_HTTP_LISTEN=127.0.0.1:0", "SMSD_ADMIN_LISTEN=127.0.0.1:0",
	}})
	if err != nil {
		t.Fatal(err)
	}
	return func(c *config.Config) { *c = *cfg }
}
