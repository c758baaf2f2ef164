package app

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// glific 236, otpgateway README (every answer, header and error), WorkSphere 2149, Skyvern PR 6576 (debug logs, forced
// errors), better-auth 11297 (the store): after everything that can happen, no code, no whole number in any of the
// ways it is written, no client's address and no secret of the settings is anywhere but in the inbox.
func TestCasesNothingLeaks(t *testing.T) {
	t.Parallel()
	policy := rules("{name: log, by: [phone], limit: 4, window: 1h}, {name: big, by: [ip_net], limit: 900, window: 1h}, "+
		"{name: near, by: [phone, ip, device], limit: 9, window: 1h}, {name: trial, by: [prefix], limit: 1, window: 1h, mode: shadow}, "+
		"{name: checks, by: [ip], limit: 200, window: 1m, on: verify}, "+guesses,
		" code: {length: 10, ttl: 5m, attempts: 3}",
		`block: [{phone: "+8613900139000", reason: fraud}, {ip_net: 192.0.2.0/24, reason: fraud}]`,
		`test_numbers: [{phone: "+8613700137000", code: "7391046285", until: 2099-12-31}]`)
	confidential := func(c *config.Config) {
		c.Secrets = []secret.Text{secret.New("s3cret-of-the-settings-that-is-32-long")}
	}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		w := &witness{service: start(t, policy, confidential)}
		w.everything()
		w.lookAround()
		if err := w.app.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		w.lookAtFiles(w.cfg.DataDir)
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		server := testserver.Redis(t, testserver.Persistent(), testserver.User("smsd", "hunter2hunter2", "~*", "&*", "+@all"))
		w := &witness{service: start(t, policy, confidential, onRedis(server.URL()))}
		w.everything()
		w.lookAround()
		if len(w.codes) < 4 {
			t.Fatalf("%d messages: too little has happened", len(w.codes))
		}
		hasty := &witness{service: start(t, policy, confidential, onRedis(server.URL()), within(40*time.Millisecond)), codes: w.codes, away: true}
		server.Freeze()
		hasty.everything()
		server.Thaw()
		server.Kill()
		hasty.everything()
		hasty.lookAround()
		server.Restart()
		until(t, "it recovers", func() bool { return w.send("+8613811138111").status == 200 })
		w.lookAtRedis(server)
		w.everything()
		w.lookAround()
	})
}

// lookAtRedis looks at every key and value, and then damages them all.
func (w *witness) lookAtRedis(server *testserver.RedisServer) {
	w.t.Helper()
	c := raw(w.t, server)
	for key, value := range stored(w.t, c, indexLife) {
		w.look("the key "+key, key)
		w.look("the value of "+key, value)
		w.look("the dump of "+key, c.Dump(w.t.Context(), key).Val())
		if strings.Contains(key, ":c:") {
			value = value[:len(value)-1] + "x" // sealed, but not by us
		} else {
			value = value[:len(value)/2]
		}
		c.Set(w.t.Context(), key, value, 0)
	}
}

// witness calls the service in every way, and looks for what must not be seen.
type witness struct {
	*service
	answers []string
	codes   []string // that were ever sent
	away    bool     // Redis is, so that 503 is an answer
}

// Numbers with a fate, and addresses.
const (
	tester  = "+8613700137000"
	blocked = "+8613900139000"
	noReach = "+12025550110"
	noWay   = "+12025550120"
	inDoubt = "+12025550130"
	limited = "+12025550150"
	distant = "2001:db8:77:1234::99"
	banned  = "192.0.2.77"
)

// everything is each way that a request can end, some of which need a store; every answer is looked at.
func (w *witness) everything() {
	w.t.Helper()
	id, code := w.see(w.send("+86 138-0013-8000")).text("sms_id"), "0123456789"
	if found := w.inbox("sms_id=" + id); id != "" && len(found) > 0 {
		code = found[0].Code
	}
	w.see(w.resend(id))
	w.sees("send", fields{"scene": "login", "device_id": "a device"}, "phone",
		tester, blocked, noReach, noWay, inDoubt, limited, "138 0013 8000", alice+"x", "+8613800138000,+8613900139000", alice, 13800138000)
	w.sees("send", fields{"phone": alice}, "scene", alice, code, "13800138000")
	w.sees("send", fields{"phone": alice, "scene": "login"}, "region", alice, code, "CN")
	w.sees("send", fields{"phone": alice, "scene": "login"}, alice, code)
	w.see(w.resend(id)) // over the limit
	w.sees("verify", fields{"sms_id": id}, "code", otherCode(code), code+"1", alice, []string{code})
	w.sees("verify", fields{"sms_id": id, "code": code}, "phone", bob, "nonsense "+alice)
	w.sees("verify", fields{"sms_id": id, "code": code}, "scene", code, alice)
	w.sees("verify", fields{"code": code}, "sms_id", alice, code, nil)
	w.sees("resend", fields{}, "sms_id", id, alice, code)
	for _, body := range []string{`{"phone":"` + alice, `{"phone":"` + alice + `","phone":"` + alice + `"}`} {
		w.see(w.post("send", body))
	}
	w.see(w.forwarded(distant).send(alice))
	w.see(w.forwarded(banned).send(alice))
	w.success()
	for _, path := range []string{"/api/v1/sms/send?phone=13800138000&code=" + code, "/13800138000/" + code, "/readyz"} {
		w.see(w.do(http.MethodGet, w.api+path, nil))
	}
	w.see(w.do(http.MethodGet, w.admin+"/readyz?verbose", nil))
	w.see(w.do(http.MethodPut, w.admin+"/mock/faults", fields{"fault": "slow", "phone": alice, "delay": "13800138000"}))
	w.see(w.do(http.MethodDelete, w.admin+"/mock/limits?phone="+code, nil))
}

// success is the one answer that holds a number, as its owner has proved it to be; so it is of nobody below.
func (w *witness) success() {
	w.t.Helper()
	id := w.see(w.send("+447400999999")).text("sms_id")
	if found := w.inbox("sms_id=" + id); id != "" && len(found) > 0 {
		w.see(w.verify(id, found[0].Code))
		w.see(w.verify(id, found[0].Code))
		w.resetLimits("+447400999999")
	}
}

// sees calls with each of the values in a field.
func (w *witness) sees(action string, body fields, field string, values ...any) {
	w.t.Helper()
	for _, v := range values {
		body[field] = v
		w.see(w.post(action, body))
	}
}

// see keeps an answer for lookAround.
func (w *witness) see(a answer) answer {
	w.t.Helper()
	if a.err != nil || a.status >= 500 && a.status != http.StatusBadGateway && !w.away {
		w.t.Errorf("%s", a)
	}
	w.answers = append(w.answers, fmt.Sprint(a.header, string(a.raw)))
	return a
}

// lookAround looks at what clients and operators have seen. What a client wrote is not to come back either.
func (w *witness) lookAround() {
	w.t.Helper()
	for _, m := range w.inbox("") {
		w.codes = append(w.codes, m.Code)
	}
	w.look("an answer", strings.Join(w.answers, "\n"))
	w.look("the log", w.log.String())
	w.look("the metrics", w.metrics())
}

// look looks for all of it in text: as it is, in hexadecimal, and in what is base64 in it.
func (w *witness) look(name, text string) {
	w.t.Helper()
	all := text
	for _, packed := range base64Like.FindAllString(text, -1) {
		if clear, err := base64.StdEncoding.DecodeString(packed); err == nil {
			all += "\n" + string(clear)
		}
	}
	for _, clear := range w.secrets() {
		for _, form := range []string{clear, hex.EncodeToString([]byte(clear))} {
			if at := strings.Index(all, form); at >= 0 {
				w.t.Errorf("%s: it holds %q: %.200q", name, clear, all[max(0, at-100):])
			}
		}
	}
}

var base64Like = regexp.MustCompile(`[A-Za-z0-9+/]{8,}={0,2}`)

// secrets is what must not be seen: a number without its +, in the national form, and as people write it.
func (w *witness) secrets() []string {
	all := []string{
		"13800138000", "138-0013-8000", "138 0013 8000", "00138000", "13900139000", "13700137000", "7400123456", "2025550110", "2025550120", "2025550130", "2025550150",
		home, distant, "77:1234", banned, "7391046285", "hunter2", "s3cret",
	}
	return append(all, w.codes...)
}

func (w *witness) lookAtFiles(dir string) {
	w.t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		w.look(path, string(text))
		return err
	})
	if err != nil || files < 2 {
		w.t.Errorf("%d files in %s, %v", files, dir, err)
	}
}
