package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
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
		`{"fault":"explode"}`:                   `{"pointer":"/fault","code":"invalid","known":["reject","throttle",`,
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
