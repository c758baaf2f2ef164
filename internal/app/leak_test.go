package app

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"smsd/internal/config"
)

// WorkSphere 2149, Skyvern PR 6576, glific 236, better-auth 11297: after everything that can happen to a code, it
// and the number it went to are looked for in the debug log, the metrics, every answer, every Redis key and
// value, and every file. The codes have ten digits, so that none of them is anywhere by chance.
func TestNoCodeAndNoNumberLeaks(t *testing.T) {
	t.Parallel()
	onBothStores(t, func(t *testing.T, cfg *config.Config) {
		cfg.PolicyFile = writeFile(t, "policy.yaml", leakPolicy)
		cfg.HTTP.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		a, log := startApp(t, cfg)
		seen := &witness{t: t, app: a}
		seen.everything()
		seen.file("log", log.String())
		seen.file("metrics", get(t, a.AdminURL()+"/metrics"))
		if url := cfg.Redis.URL.Reveal(); url != "" {
			for key, value := range rawKeys(t, url) {
				seen.file("redis key", key)
				seen.file("redis value of "+key, value)
			}
		}
		if err := a.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		seen.folder(cfg.DataDir)
	})
}

const leakPolicy = `
limits:
  - {name: hour, by: [phone], limit: 3, window: 1h}
  - {name: net, by: [ip_net], limit: 60, window: 1h}
  - {name: guesses, by: [phone, scene], limit: 3, window: 1h, on: guess}
scenes:
  login:
    code: {length: 10, ttl: 5m, attempts: 3}
    templates: {en: "{{.Code}} is your code."}
block:
  - {phone: "+8613900139000", reason: fraud}
`

// witness makes requests and looks for what must not be seen.
type witness struct {
	t     *testing.T
	app   *App
	codes []string
}

const client = "203.0.113.77"

// numbers are what people write, and the parts of it that would give the number away.
var numbers = []string{"13800138000", "138-0013-8000", "138 0013 8000", "00138000", "12025550110", "2025550110", "13900139000", client}

// everything is each way that a request can end.
func (w *witness) everything() {
	const phone, other = "+86 138-0013-8000", "+12025550110"
	id := w.post("send", map[string]string{"phone": phone, "scene": "login", "device_id": "a-device"}).text("sms_id")
	for _, m := range w.app.http.Mock.Messages(mockFilter("")) {
		w.codes = append(w.codes, m.Code.Reveal())
	}
	w.post("send", map[string]string{"phone": other, "scene": "login"})                   // undeliverable
	w.post("send", map[string]string{"phone": "+12025550120", "scene": "login"})          // no gateway took it
	w.post("send", map[string]string{"phone": "+12025550130", "scene": "login"})          // nobody can tell
	w.post("send", map[string]string{"phone": "+8613900139000", "scene": "login"})        // blocked
	w.post("send", map[string]string{"phone": phone, "scene": "+8613800138000"})          // no such scene
	w.post("send", map[string]string{"phone": "138 0013 8000", "scene": "login"})         // no region
	w.post("send", map[string]string{"phone": phone, "scen": w.codes[0]})                 // no such field
	w.post("send", map[string]string{"phone": phone + "x", "scene": "login"})             // no number
	w.post("resend", map[string]string{"sms_id": id})                                     // the same code again
	w.post("resend", map[string]string{"sms_id": id})                                     // the third, and the last
	w.post("resend", map[string]string{"sms_id": id})                                     // over the limit
	w.post("verify", map[string]string{"sms_id": id, "code": "0000000000"})               // wrong
	w.post("verify", map[string]string{"sms_id": id, "code": w.codes[0] + "0"})           // too long
	w.post("verify", map[string]string{"sms_id": id, "code": w.codes[0], "phone": other}) // another's
	if v := verify(w.app, id, w.codes[0]); v.status != http.StatusOK {                    // its answer holds the number
		w.t.Errorf("verify: %+v", v)
	}
	w.post("verify", map[string]string{"sms_id": id, "code": w.codes[0]}) // used
	get(w.t, w.app.PublicURL()+"/api/v1/sms/send?phone=13800138000&code="+w.codes[0])
}

// post makes a request, and looks at all of its answer.
func (w *witness) post(what string, body map[string]string) answer {
	got := callFrom(client, "POST", w.app.PublicURL()+"/api/v1/sms/"+what, body)
	if got.err != nil || got.status >= 500 && got.status != http.StatusBadGateway {
		w.t.Errorf("%s %v: %+v", what, body, got)
	}
	w.file("answer to "+what, got.raw)
	return got
}

// file looks for every code and number in text, and in what is base64 in it.
func (w *witness) file(name, text string) {
	w.t.Helper()
	for _, encoded := range packed.FindAllString(text, -1) {
		raw, _ := base64.StdEncoding.DecodeString(encoded) // what is none is looked at as it is
		text += "\n" + string(raw)
	}
	for _, secret := range append(w.codes, numbers...) {
		if strings.Contains(text, secret) {
			w.t.Errorf("%s holds %s:\n%s", name, secret, around(text, secret))
		}
	}
}

// around returns what stands about secret in text.
func around(text, secret string) string {
	at := strings.Index(text, secret)
	return text[max(0, at-300):min(len(text), at+300)]
}

// packed is what may be base64.
var packed = regexp.MustCompile(`[A-Za-z0-9+/]{8,}={0,2}`)

// folder looks at every file below path.
func (w *witness) folder(path string) {
	w.t.Helper()
	n := 0
	err := filepath.WalkDir(path, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		text, err := os.ReadFile(path)
		w.file(path, string(text))
		return err
	})
	if err != nil || n == 0 {
		w.t.Errorf("%d files in %s: %v", n, path, err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
