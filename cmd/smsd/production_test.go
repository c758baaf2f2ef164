package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"smsd/internal/testserver"
)

const productionPolicy = `
limits:
  - {name: hour, by: [phone], limit: 5, window: 1h}
  - {name: net, by: [ip_net], limit: 200, window: 1h}
scenes:
  login: {countries: [CN], templates: {en: "{{.Code}} is your code."}}
`

// An instance of the production profile: JSON in the log and nothing beside it, no page, a token on the
// operators' API, nothing written to disk, and no policy that it would not have started with.
func TestProduction(t *testing.T) {
	t.Parallel()
	server, database := testserver.Redis(t), testserver.Postgres(t)
	folder := t.TempDir()
	policy, secret := filepath.Join(folder, "policy.yaml"), filepath.Join(folder, "secret")
	put(t, policy, productionPolicy)
	put(t, secret, strings.Repeat("0a", 32)+"\n")
	i := begin(t, []string{
		"PATH=" + os.Getenv("PATH"), "SMSD_PROFILE=production", "SMSD_ALLOW_MOCK=true", "SMSD_ADMIN_TOKEN=0123456789abcdef",
		"SMSD_REDIS_URL=" + server.URL(), "SMSD_DATABASE_URL=" + database.URL(), "SMSD_SECRET_FILE=" + secret, "SMSD_POLICY_FILE=" + policy, "SMSD_DATA_DIR=" + filepath.Join(folder, "data"),
	})
	for url, want := range map[string]int{
		i.api + "/readyz": http.StatusOK, i.admin + "/livez": http.StatusOK, i.api + "/": http.StatusNotFound,
		i.admin + "/metrics": http.StatusUnauthorized, i.admin + "/mock/messages": http.StatusUnauthorized,
	} {
		if status := ask(http.MethodGet, url, nil, nil); status != want {
			t.Errorf("%s: status %d, want %d", url, status, want)
		}
	}
	if status := ask(http.MethodPost, i.api+"/api/v1/sms/send", map[string]string{"phone": "+8613800138000", "scene": "login"}, nil); status != http.StatusOK {
		t.Errorf("send: status %d", status)
	}

	put(t, policy, productionPolicy+"test_numbers:\n  - {phone: \"+8613800000000\", code: \"000000\"}\n")
	if err := i.process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if i.stderr.find(regexp.MustCompile("test numbers without an end date"), i.exited) == nil {
		t.Errorf("the reload was not refused:\n%s", i.stderr.String())
	}

	if code, err := i.stop(syscall.SIGTERM); code != exitOK || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	for line := range strings.Lines(i.stderr.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if out := i.stdout.String(); out != "" {
		t.Errorf("on standard output: %s", out)
	}
	if _, err := os.Stat(filepath.Join(folder, "data")); err == nil {
		t.Error("it wrote to data_dir")
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
