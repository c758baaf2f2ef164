package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

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
// operators' API, a key on the public one, nothing written to disk, and no policy that it would not
// have started with.
func TestProduction(t *testing.T) {
	t.Parallel()
	server, database := testserver.Redis(t), testserver.Postgres(t)
	folder := t.TempDir()
	policy, secret := filepath.Join(folder, "policy.yaml"), filepath.Join(folder, "secret")
	put(t, policy, productionPolicy)
	put(t, secret, strings.Repeat("0a", 32)+"\n")
	environment := []string{
		"PATH=" + os.Getenv("PATH"), "SMSD_PROFILE=production", "SMSD_ALLOW_MOCK=true", "SMSD_ADMIN_TOKEN=0123456789abcdef",
		"SMSD_REDIS_URL=" + server.URL(), "SMSD_DATABASE_URL=" + database.URL(), "SMSD_ON_RECORDS_FAILURE=refuse", "SMSD_SECRET_FILE=" + secret, "SMSD_POLICY_FILE=" + policy, "SMSD_DATA_DIR=" + filepath.Join(folder, "data"),
	}
	i := begin(t, environment)
	for url, want := range map[string]int{
		i.api + "/readyz": http.StatusOK, i.admin + "/livez": http.StatusOK, i.api + "/": http.StatusNotFound,
		i.admin + "/metrics": http.StatusUnauthorized, i.admin + "/mock/messages": http.StatusUnauthorized,
	} {
		if status := ask(http.MethodGet, url, nil, nil); status != want {
			t.Errorf("%s: status %d, want %d", url, status, want)
		}
	}
	sendWithKey(t, i, environment)

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

// sendWithKey sends without a key, and then with one that is made while the instance runs.
func sendWithKey(t *testing.T, i *instance, environment []string) {
	t.Helper()
	var key, explanation bytes.Buffer
	if code := run(t.Context(), []string{"keys", "create", "--app", "shop", "--kind", "secret"}, environment, &key, &explanation); code != exitOK {
		t.Fatalf("keys create: exit code %d\n%s", code, explanation.String())
	}
	send := func(key string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, i.api+"/api/v1/sms/send", strings.NewReader(`{"phone":"+8613800138000","scene":"login"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		if key != "" {
			request.Header.Set("Authorization", "Bearer "+key)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	if status := send(""); status != http.StatusUnauthorized {
		t.Errorf("send without a key: status %d", status)
	}
	status := http.StatusUnauthorized // until the instance has seen the key
	for deadline := time.Now().Add(patience); status == http.StatusUnauthorized && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond) // or it is told to wait
		status = send(strings.TrimSpace(key.String()))
	}
	if status != http.StatusOK {
		t.Errorf("send with a key: status %d", status)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
