package httpapi

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Every field of a request counts, and a new one must be put among the content, or it is not compared.
func TestOtherContentIsAMismatch(t *testing.T) {
	t.Parallel()
	for _, c := range []interface{ content() []string }{&sendRequest{}, &resendRequest{}, &verifyRequest{}} {
		fields := reflect.ValueOf(c).Elem()
		for i := range fields.NumField() {
			before := fmt.Sprint(c.content())
			fields.Field(i).SetString(fmt.Sprint("value-", i))
			name := jsonName(fields.Type().Field(i))
			if counts := fmt.Sprint(c.content()) != before; counts != (name != "client_ip") {
				t.Errorf("%T: %s is in the content: %t", c, name, counts)
			}
		}
	}
	a, _ := newOnceAPI(t)
	a.want(a.sendUnder("k", alice), 200, "")
	for _, body := range []string{
		`{"phone":"+8613900139000","scene":"login"}`, `{"phone":"+8613800138000","scene":"register"}`,
		`{"phone":"+8613800138000","scene":"login","locale":"en"}`, `{"phone":"+8613800138000","scene":"login","device_id":"d"}`,
		`{"phone":"+8613800138000","scene":"login","region":"CN"}`,
	} {
		a.want(a.under("k", "send", body), 422, "idempotency_mismatch")
	}
	a.wantMessages(1)
}

// A key belongs to one app. Through whichever secret key of that app, and for whichever client of a server, it is one request.
func TestKeysOfApps(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	shop := a.keys.Secret("shop")
	send := func(key, more string) *reply {
		return a.post("/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"`+more+`}`, "Idempotency-Key", "k", "Authorization", "Bearer "+key)
	}
	first := send(shop, `,"client_ip":"198.51.100.1"`)
	a.want(first, 200, "")
	a.replays(send(shop, `,"client_ip":"198.51.100.2"`), first)
	a.replays(send(a.keys.Secret("shop"), ""), first)
	other := send(a.keys.Secret("desk"), "")
	if other.status != 200 || other.text("sms_id") == first.text("sms_id") {
		t.Errorf("another app's key: %d %s", other.status, other.body)
	}
	a.wantMessages(2)
	a.want(a.post("/api/v1/sms/verify", `{"sms_id":`+quote(first.text("sms_id"))+`,"code":"123456"}`, "Idempotency-Key", "k"), 404, "verification_not_found")
}

// Whoever has read a publishable key out of a page can neither take a key that a server uses, nor read what a server was answered.
func TestKeysOfServersAreNotThoseOfPages(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	send := func(key, phone string) *reply {
		return a.post("/api/v1/sms/send", `{"scene":"login","phone":`+quote(phone)+`}`, "Idempotency-Key", "order-1", "Authorization", "Bearer "+key)
	}
	page, server := a.keys.Publishable("shop"), a.keys.Secret("shop")
	a.want(send(page, "+8613900139000"), 200, "")
	first := send(server, alice)
	a.want(first, 200, "")
	a.replays(send(server, alice), first)
	a.want(send(page, alice), 422, "idempotency_mismatch") // of its own key
	a.wantMessages(2)
}

// A key belongs to one route.
func TestOneKeyOnEveryRoute(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	sent := a.sendUnder("k", alice)
	id := sent.text("sms_id")
	a.clock.Advance(time.Minute)
	a.want(a.under("k", "resend", `{"sms_id":`+quote(id)+`}`), 200, "")
	a.want(a.verifyUnder("k", id, a.code(id)), 200, "")
	a.replays(a.sendUnder("k", alice), sent)
}

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	for _, headers := range [][]string{
		{"Idempotency-Key", "a b"}, {"Idempotency-Key", ""}, {"Idempotency-Key", `"a`}, {"Idempotency-Key", "a", "Idempotency-Key", "a"},
		{"Idempotency-Key", strings.Repeat("k", 256)}, {"Idempotency-Key", `"a", "b"`},
	} {
		r := a.post("/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"}`, headers...)
		a.want(r, 400, "invalid_request")
		if !strings.Contains(string(r.body), `"errors":[{"header":"Idempotency-Key","code":"invalid"}]`) {
			t.Errorf("%v: %s", headers, r.body)
		}
	}
	a.wantMessages(0)
	if n := entries.count("find"); n != 0 {
		t.Errorf("%d look-ups", n)
	}
}

// The database's files hold no number, code, key or answer in clear, whatever was asked under a key.
func TestKeysAreStoredClosed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a := newAPI(t, func(s *setup) { s.entries = openEntriesIn(t, folder) })
	const key = "a-key-that-nobody-guesses"
	sent := a.sendUnder(key, alice)
	id := sent.text("sms_id")
	code := a.code(id)
	a.want(a.verifyUnder(key, id, code), 200, "")
	files, err := filepath.Glob(filepath.Join(folder, "smsd.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	found := false
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found = found || bytes.Contains(content, []byte(id)) // the look is at the right files
		for _, clear := range []string{alice, alice[3:], key, code, "expires_at\":", "203.0.113"} {
			if bytes.Contains(content, []byte(clear)) {
				t.Errorf("%s holds %q", filepath.Base(name), clear)
			}
		}
	}
	if !found {
		t.Error("the entry is in none of the files")
	}
}

// The outcomes are counted.
func TestMetricsOfKeys(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	a.sendUnder("k", alice)
	a.sendUnder("k", alice)
	a.sendUnder("k", "+8613900139000")
	metrics := string(a.operate("GET", "/metrics", "").body)
	for _, line := range []string{
		`smsd_idempotency_requests_total{outcome="new"} 1`, `smsd_idempotency_requests_total{outcome="replayed"} 1`,
		`smsd_idempotency_requests_total{outcome="mismatch"} 1`, `smsd_idempotency_requests_total{outcome="in_progress"} 0`,
		`smsd_idempotency_requests_total{outcome="unavailable"} 0`,
	} {
		if !strings.Contains(metrics, line) {
			t.Errorf("no %s", line)
		}
	}
}
