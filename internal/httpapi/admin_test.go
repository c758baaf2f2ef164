package httpapi

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"smsd/internal/secret"
)

// inboxOf decodes a list of messages.
func inboxOf(t *testing.T, r *reply) []inboxMessage {
	t.Helper()
	var found struct {
		Messages []inboxMessage `json:"messages"`
	}
	if err := json.Unmarshal(r.body, &found); err != nil || r.status != http.StatusOK {
		t.Fatalf("messages: %d %v: %s", r.status, err, r.body)
	}
	return found.Messages
}

func TestInbox(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	if r := a.operate("GET", "/mock/messages", ""); string(r.body) != `{"messages":[]}` {
		t.Errorf("an empty inbox is %s", r.body)
	}
	id, code := a.sent(alice)
	a.sent("+447911123456")
	for query, want := range map[string]int{
		"":                           2,
		"?phone=%2B8613800138000":    1,
		"?phone=+8613800138000":      1, // the + arrives as a blank
		"?phone=008613800138000":     1,
		"?phone=%2B8613900139000":    0,
		"?sms_id=" + id:              1,
		"?scene=login":               2,
		"?scene=register":            0,
		"?limit=1":                   1,
		"?phone=&sms_id=&scene=":     2,
		"?phone=+447911123456&limit": 1,
	} {
		if got := inboxOf(t, a.operate("GET", "/mock/messages"+query, "")); len(got) != want {
			t.Errorf("%q: %d messages, want %d", query, len(got), want)
		}
	}
	m := inboxOf(t, a.operate("GET", "/mock/messages?sms_id="+id, ""))[0]
	if m.SMSID != id || m.Phone != alice || m.Scene != "login" || m.Code != code || !strings.Contains(m.Text, code) ||
		m.Gateway != "mock" || m.Segments != 1 || m.Encoding != "GSM-7" || m.CreatedAt.IsZero() || m.ID == "" {
		t.Errorf("message %+v", m)
	}
	a.want(a.operate("DELETE", "/mock/messages", ""), 204, "")
	if got := inboxOf(t, a.operate("GET", "/mock/messages", "")); len(got) != 0 {
		t.Errorf("%d messages after the clearing", len(got))
	}
}

func TestBadQueries(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for query, want := range map[string]string{
		"?limit=0":                          `{"parameter":"limit","code":"invalid"}`,
		"?limit=1001":                       `{"parameter":"limit","code":"invalid"}`,
		"?limit=x":                          `{"parameter":"limit","code":"invalid"}`,
		"?phnoe=1":                          `{"parameter":"phnoe","code":"unknown"}`,
		"?scene=a&scene=b":                  `{"parameter":"scene","code":"duplicate"}`,
		"?scene=" + strings.Repeat("x", 65): `{"parameter":"scene","code":"too_long"}`,
		"?%2B8613800138000=1":               `{"pointer":"","code":"unknown"}`,
		"/wait?timeout=61s":                 `{"parameter":"timeout","code":"invalid"}`,
		"/wait?timeout=-1s":                 `{"parameter":"timeout","code":"invalid"}`,
		"/wait?timeout=10":                  `{"parameter":"timeout","code":"invalid"}`,
		"/wait?since=yesterday":             `{"parameter":"since","code":"invalid"}`,
	} {
		r := a.operate("GET", "/mock/messages"+query, "")
		if r.status != 400 || !strings.Contains(string(r.body), `"errors":[`+want+`]`) {
			t.Errorf("%s: %d %s, want %s", query, r.status, r.body, want)
		}
	}
	a.want(a.operate("GET", "/mock/messages?phone=nobody", ""), 422, "invalid_phone")
	a.want(a.operate("DELETE", "/mock/limits", ""), 400, "invalid_request")
	a.want(a.operate("DELETE", "/mock/limits?phone=x", ""), 422, "invalid_phone")
}

func TestLongPoll(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(a.operate("GET", "/mock/messages/wait?timeout=0s", ""), 204, "")
	got := make(chan *reply)
	go func() { got <- a.operate("GET", "/mock/messages/wait?phone=+8613800138000&timeout=60s", "") }()
	id, _ := a.sent(alice)
	r := <-got
	if r.status != http.StatusOK || r.text("sms_id") != id {
		t.Fatalf("wait: %d %s", r.status, r.body)
	}
	created := r.text("created_at")
	a.want(a.operate("GET", "/mock/messages/wait?timeout=0s&since="+created, ""), 204, "")
	// Another zone, whose + arrives as a blank; the message is later than an instant a nanosecond before it.
	at, err := time.Parse(time.RFC3339Nano, created)
	if err != nil {
		t.Fatal(err)
	}
	east := at.Add(-1).In(time.FixedZone("", 8*3600)).Format(time.RFC3339Nano)
	a.want(a.operate("GET", "/mock/messages/wait?timeout=0s&since="+east, ""), 200, "")
}

func TestFaultsOverHTTP(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for body, want := range map[string]string{
		`{}`:                                    `{"pointer":"/fault","code":"required"}`,
		`{"fault":"explode"}`:                   `{"pointer":"/fault","code":"invalid"}`,
		`{"fault":"reject","times":-1}`:         `{"pointer":"/times","code":"invalid"}`,
		`{"fault":"slow","delay":"2"}`:          `{"pointer":"/delay","code":"invalid"}`,
		`{"fault":"slow","delay":"1h"}`:         `{"pointer":"/delay","code":"invalid"}`,
		`{"fault":"slow","delay":"-1s"}`:        `{"pointer":"/delay","code":"invalid"}`,
		`{"fault":"slow","Delay":"1s"}`:         `{"pointer":"/Delay","code":"unknown"}`,
		`{"fault":"slow","times":1,"times":2}`:  `{"pointer":"/times","code":"duplicate"}`,
		`{"fault":"slow","phone":["+8613800"]}`: `{"pointer":"/phone","code":"invalid_type"}`,
	} {
		r := a.operate("PUT", "/mock/faults", body)
		if r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want %s", body, r.status, r.body, want)
		}
	}
	a.want(a.operate("PUT", "/mock/faults", `{"fault":"reject","phone":"12"}`), 422, "invalid_phone")
	a.setFault("reject", alice)
	if r := a.operate("GET", "/mock/faults", ""); string(r.body) != `{"faults":[{"fault":"reject","phone":"+86 138****8000","times":1,"delay":"0s"}]}` {
		t.Errorf("faults: %s", r.body)
	}
	a.want(a.operate("DELETE", "/mock/faults", ""), 204, "")
	a.sent(alice)
}

func TestResetLimitsAndClock(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	a.want(a.sendTo(alice), 429, "rate_limited")
	a.want(a.operate("DELETE", "/mock/limits?phone=+86+138-0013-8000", ""), 204, "")
	a.sent(alice)
	a.want(a.operate("DELETE", "/mock/limits?phone=+8613800138000&app=another", ""), 204, "")
	a.want(a.sendTo(alice), 429, "rate_limited")
	a.want(a.operate("DELETE", "/mock/limits?phone=+8613800138000&app="+strings.Repeat("x", 65), ""), 400, "invalid_request")
	a.want(a.operate("DELETE", "/mock/limits?ip=192.0.2.1", ""), 204, "")
	a.want(a.operate("DELETE", "/mock/limits?ip=192.0.2", ""), 400, "invalid_request")
	a.want(a.operate("DELETE", "/mock/limits", ""), 400, "invalid_request")
	a.want(a.operate("POST", "/mock/clock", `{"advance":"61s"}`), 204, "")
	a.sent(alice)
	for _, bad := range []string{`{}`, `{"advance":61}`, `{"advance":"61"}`, `{"advance":"-1s"}`, `{"advance":"0s"}`, `{"advance":"721h"}`, `{"advance":"9999999h"}`} {
		a.want(a.operate("POST", "/mock/clock", bad), 400, "invalid_request")
	}
}

func TestTestAidsAreForDev(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.Dev = false })
	a.want(a.operate("DELETE", "/mock/limits?phone=+8613800138000", ""), 404, "not_found")
	a.want(a.operate("POST", "/mock/clock", `{"advance":"1s"}`), 404, "not_found")
	a.want(a.operate("GET", "/mock/messages", ""), 200, "")
	without := newAPI(t, func(s *setup) { s.http.Mock = nil })
	for _, path := range []string{"/mock/", "/mock/messages", "/mock/faults", "/mock/messages/wait"} {
		without.want(without.operate("GET", path, ""), 404, "not_found")
	}
}

// A page whose name resolves to this machine (DNS rebinding) and pages of other origins get nothing.
func TestGuard(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.AdminHosts = []string{"Ops.example"} })
	for _, c := range []struct {
		host   string
		header []string
		ok     bool
	}{
		{"127.0.0.1:8081", nil, true},
		{"127.9.9.9", nil, true},
		{"localhost", nil, true},
		{"LOCALHOST:1", nil, true},
		{"admin.localhost:8081", nil, true},
		{"[::1]:8081", nil, true},
		{"[::1]", nil, true},
		{"[::ffff:127.0.0.1]:8081", nil, true},
		{"ops.example:8081", nil, true},
		{"evil.example", nil, false},
		{"evil.example:8081", nil, false},
		{"localhost.evil.example", nil, false},
		{"127.0.0.1.evil.example", nil, false},
		{"evillocalhost", nil, false},
		{"192.168.0.7:8081", nil, false},
		{"10.0.0.7:8081", nil, true}, // where the connection arrived, see below
		{"", nil, false},
		{"127.0.0.1:8081", []string{"Origin", "http://127.0.0.1:8081"}, true},
		{"127.0.0.1:8081", []string{"Origin", "http://127.0.0.1:8080"}, false},
		{"127.0.0.1:8081", []string{"Origin", "http://localhost:8081"}, false},
		{"127.0.0.1:8081", []string{"Origin", "https://evil.example"}, false},
		{"127.0.0.1:8081", []string{"Origin", "null"}, false},
		{"127.0.0.1:8081", []string{"Origin", ""}, false},
		{"127.0.0.1:8081", []string{"Origin", "http://127.0.0.1:8081", "Origin", "https://evil.example"}, false},
		{"127.0.0.1:8081", []string{"Origin", "file://"}, false},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, false},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, true},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"}, true},
	} {
		r := request("GET", "http://placeholder/mock/messages", "", c.header...)
		r.Host = c.host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8081}))
		got := a.do(a.admin, r)
		if (got.status == http.StatusOK) != c.ok || !c.ok && got.code() != "forbidden" {
			t.Errorf("Host %q, %v: %d %s", c.host, c.header, got.status, got.code())
		}
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.AdminToken = secret.New("tok en-with:odd,parts") })
	basic := request("GET", "http://127.0.0.1:8081/mock/", "")
	basic.SetBasicAuth("anyone", "tok en-with:odd,parts")
	if r := a.do(a.admin, basic); r.status != http.StatusOK {
		t.Errorf("basic: %d", r.status)
	}
	a.want(a.operate("GET", "/mock/messages", "", "Authorization", "bearer tok en-with:odd,parts"), 200, "")
	for _, given := range []string{"", "Bearer", "Bearer ", "Bearer wrong", "Basic wrong", "Basic YW55b25lOndyb25n", "tok en-with:odd,parts", "Bearer tok en-with:odd,part", "Bearer tok en-with:odd,partss"} {
		for _, path := range []string{"/", "/mock/messages", "/mock/messages/wait", "/metrics", "/debug/pprof/", "/openapi.json", "/readyz?verbose", "/nothing", "/readyz/../metrics"} {
			a.want(a.operate("GET", path, "", "Authorization", given), 401, "unauthorized")
		}
		a.want(a.operate("DELETE", "/mock/messages", "", "Authorization", given), 401, "unauthorized")
	}
	for _, open := range []string{"/livez", "/readyz", "/problems/", "/problems/unauthorized"} {
		a.want(a.operate("GET", open, ""), 200, "")
	}
	if log := a.log.String(); strings.Contains(log, "odd,parts") {
		t.Error("the log holds the token")
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	public := func(path string) *reply { return a.do(a.public, request("GET", "http://127.0.0.1:8080"+path, "")) }
	checks := map[string]string{"counters": "out of reach"}
	for _, c := range []struct {
		health       Health
		status       int
		word, inBody string
	}{
		{Health{Ready: true, Checks: map[string]string{"counters": "ok"}}, 200, "ok", `"counters":"ok"`},
		{Health{Ready: true, Degraded: true, Checks: checks}, 200, "degraded", `"counters":"out of reach"`},
		{Health{Checks: checks}, 503, "", `"counters":"out of reach"`},
	} {
		a.health = c.health
		for _, path := range []string{"/readyz", "/readyz?verbose"} {
			r := public(path)
			if r.status != c.status || c.status == 200 && r.text("status") != c.word || strings.Contains(string(r.body), "counters") {
				t.Errorf("public %s: %d %s", path, r.status, r.body)
			}
		}
		if r := a.operate("GET", "/readyz", ""); r.status != c.status || strings.Contains(string(r.body), "counters") {
			t.Errorf("admin: %d %s", r.status, r.body)
		}
		if r := a.operate("GET", "/readyz?verbose", ""); r.status != c.status || !strings.Contains(string(r.body), c.inBody) {
			t.Errorf("admin, verbose: %d %s", r.status, r.body)
		}
		a.want(public("/livez"), 200, "")
		a.want(a.operate("GET", "/livez", ""), 200, "")
	}
	if r := public("/readyz"); r.header.Get("Retry-After") == "" || r.code() != "unavailable" {
		t.Errorf("not ready: %v %s", r.header, r.body)
	}
	if log := a.log.String(); !strings.Contains(log, `"route":"/readyz","status":503,"code":"unavailable"`) {
		t.Error("the access log does not have the code")
	}
}

func TestMetricsAndProfiles(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	a.sendTo(alice)
	a.post("/api/v1/sms/send/13800138000", `{}`)
	a.do(a.public, request("BREW", "http://127.0.0.1:8080/13800138000", ""))
	text := string(a.operate("GET", "/metrics", "").body)
	for _, line := range []string{
		`smsd_http_requests_total{listener="public",method="POST",route="/api/v1/sms/send",status="200"} 1`,
		`smsd_http_requests_total{listener="public",method="POST",route="/api/v1/sms/send",status="429"} 1`,
		`smsd_http_requests_total{listener="public",method="POST",route="unmatched",status="404"} 1`,
		`smsd_http_requests_total{listener="public",method="other",route="unmatched",status="404"} 1`,
		`smsd_http_request_duration_seconds_count{listener="public",method="POST",route="/api/v1/sms/send"} 2`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %s", line)
		}
	}
	for path, status := range map[string]int{
		"/debug/pprof/": 200, "/debug/pprof": 308, "/debug/pprof/heap": 200, "/debug/pprof/goroutine?debug=1": 200,
		"/debug/pprof/cmdline": 404, "/debug/pprof/profile?seconds=301": 400, "/debug/pprof/trace?seconds=NaN": 400,
		"/debug/pprof/trace?seconds=x": 400, "/mock": 308, "/": 200,
	} {
		r := request("GET", "http://127.0.0.1:8081"+path, "")
		if got := a.do(a.admin, r); got.status != status {
			t.Errorf("%s: %d, want %d", path, got.status, status)
		}
	}
}
