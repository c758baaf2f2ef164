package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/policy"
)

const (
	sendPath   = "/api/v1/sms/send"
	resendPath = "/api/v1/sms/resend"
	verifyPath = "/api/v1/sms/verify"
)

// production is an instance that requires keys.
func production(s *setup) { s.http.Dev = false }

// A verification of another app is not there, for whoever knows its id and its code.
func TestAppsAreApart(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	shop, blog := with(a.keys.Secret("shop")), with(a.keys.Secret("blog"))
	sent := a.post(sendPath, `{"phone":"+8613800138000","scene":"login"}`, shop...)
	a.want(sent, 200, "")
	id := sent.text("sms_id")
	right := `{"sms_id":` + quote(id) + `,"code":` + quote(a.code(id)) + `}`
	for _, stranger := range [][]string{blog, nil} {
		a.want(a.post(verifyPath, right, stranger...), 404, "verification_not_found")
		a.want(a.post(resendPath, `{"sms_id":`+quote(id)+`}`, stranger...), 404, "verification_not_found")
	}
	a.want(a.post(verifyPath, right, with(a.keys.Publishable("shop"))...), 200, "") // another key of the app
}

// Without a key, in dev, it is the app default: also for a key of that app.
func TestDefaultApp(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	a.want(a.post(verifyPath, `{"sms_id":`+quote(id)+`,"code":`+quote(code)+`}`, with(a.keys.Secret("default"))...), 200, "")
}

// perAddress lets an address send once.
const perAddress = `
limits: [{name: ip, by: [ip], limit: 1, window: 1h}]
scenes: {login: {countries: ["*"], templates: {en: "{{.Code}}"}}}
`

// What a server states is who is counted; nobody else may state it, and a server that states none is counted itself.
func TestClientIP(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte(perAddress))
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t, func(s *setup) { s.policy = p })
	secret, page := with(a.keys.Secret("shop")), with(a.keys.Publishable("shop"))
	send := func(stated, phone string, header []string) *reply {
		return a.post(sendPath, `{"phone":"+8613800138`+phone+`","scene":"login","client_ip":`+quote(stated)+`}`, header...)
	}
	a.want(send("2001:db8::1", "001", secret), 200, "")
	a.want(send("2001:db8::2", "002", secret), 429, "rate_limited") // the same /64
	a.want(send("203.0.113.77", "003", secret), 200, "")
	a.want(send("::ffff:203.0.113.77", "004", secret), 429, "rate_limited")
	a.want(send("", "005", secret), 200, "") // the server itself
	a.want(send("", "006", secret), 429, "rate_limited")
	for _, stated := range []string{"x", "203.0.113.1:80", "203.0.113.0/24", "fe80::1%eth0", "0.0.0.0", "::", "224.0.0.1", "ff02::1", "1.2.3", " 203.0.113.1"} {
		if r := send(stated, "007", secret); r.status != 400 || !strings.Contains(string(r.body), `{"pointer":"/client_ip","code":"invalid"}`) {
			t.Errorf("%q: %d %s", stated, r.status, r.body)
		}
	}
	for _, caller := range [][]string{page, nil} {
		for path, body := range map[string]string{
			sendPath: `{"phone":"+8613800138008","scene":"login","client_ip":"203.0.113.1"}`, resendPath: `{"sms_id":"x","client_ip":"203.0.113.1"}`,
			verifyPath: `{"sms_id":"x","code":"123456","client_ip":"203.0.113.1"}`,
		} {
			if r := a.post(path, body, caller...); r.status != 400 || !strings.Contains(string(r.body), `[{"pointer":"/client_ip","code":"not_allowed"}]`) {
				t.Errorf("%s: %d %s", path, r.status, r.body)
			}
		}
	}
	a.isAbsent("an address", "203.0.113.77", "2001:db8::1")
}

// Verifies count whom the server states, too.
func TestClientIPOfVerifies(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte(`
limits: [{name: verify-ip, by: [ip], limit: 1, window: 1h, on: verify}]
scenes: {login: {countries: ["*"], templates: {en: "{{.Code}}"}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t, func(s *setup) { s.policy = p })
	secret := with(a.keys.Secret("shop"))
	for i, want := range []int{404, 429} {
		r := a.post(verifyPath, `{"sms_id":"6f9619ff-8b86-4011-b42d-00c04fc964ff","code":"123456","client_ip":"203.0.113.77"}`, secret...)
		if r.status != want {
			t.Errorf("verify %d: %d %s", i, r.status, r.body)
		}
	}
}

// The RateLimit fields are for dev and for servers.
func TestWhoSeesLimits(t *testing.T) {
	t.Parallel()
	a := newAPI(t, production)
	for key, sees := range map[string]bool{a.keys.Secret("shop"): true, a.keys.Publishable("blog"): false} {
		r := a.post(sendPath, `{"phone":"+8613800138000","scene":"login"}`, with(key)...)
		a.clock.Advance(time.Minute)
		if r.status != http.StatusOK || sees != (r.header.Get("RateLimit") != "") || sees != (r.header.Get("RateLimit-Policy") != "") {
			t.Errorf("%s sees: %d %v", key[:3], r.status, r.header)
		}
	}
}

// A preflight has no key: the origins of every live publishable key may call, and may read what is answered.
func TestOriginsOfKeysMayCall(t *testing.T) {
	t.Parallel()
	a := newAPI(t, production)
	checkPreflight(t, a, "no key yet", shopOrigin, false)
	text, id := a.keys.Make(apikey.Draft{App: "shop", Kind: apikey.Publishable, Origins: []string{shopOrigin}})
	checkPreflight(t, a, "its key", shopOrigin, true)
	checkPreflight(t, a, "another origin", evilOrigin, false)
	r := a.post(sendPath, `{"phone":"+8613800138000","scene":"login"}`, with(text, shopOrigin)...)
	a.want(r, 200, "")
	if r.header.Get("Access-Control-Allow-Origin") != shopOrigin || r.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("the page may not read: %v", r.header)
	}
	for _, field := range []string{"X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotency-Replayed"} {
		if !strings.Contains(r.header.Get("Access-Control-Expose-Headers")+",", field+",") {
			t.Errorf("%s is not exposed", field)
		}
	}
	pre := a.do(a.public, request(http.MethodOptions, "http://127.0.0.1:8080"+sendPath, "", "Origin", shopOrigin, "Access-Control-Request-Method", "POST"))
	if got := pre.header.Get("Access-Control-Allow-Headers"); got != "Authorization, Content-Type, Idempotency-Key" {
		t.Errorf("allowed headers: %s", got)
	}
	a.keys.Revoke(id)
	checkPreflight(t, a, "its key is revoked", shopOrigin, false)
}
