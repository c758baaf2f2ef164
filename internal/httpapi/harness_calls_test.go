package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-json-experiment/json"

	"smsd/internal/gateway/mock"
)

// request makes a request as a client at 203.0.113.9 would; header is pairs.
func request(method, target, body string, header ...string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.RemoteAddr = "203.0.113.9:40000"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

// do serves r and holds the answer against the document.
func (a *api) do(h http.Handler, r *http.Request) *reply {
	a.Helper()
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r)
	result := recorder.Result()
	body, _ := io.ReadAll(result.Body)
	got := &reply{result.StatusCode, result.Header, body}
	if err := a.spec.check(r, got.status, got.header, got.body); err != nil {
		a.Error(err)
	}
	if got.header.Get("X-Request-Id") == "" {
		a.Errorf("%s %s: an answer without a request id", r.Method, r.URL.Path)
	}
	if got.status >= 400 && got.text("request_id") != got.header.Get("X-Request-Id") {
		a.Errorf("%s %s: the problem has another request id", r.Method, r.URL.Path)
	}
	a.keep(r, got)
	return got
}

func (a *api) keep(r *http.Request, got *reply) {
	var text bytes.Buffer
	_ = got.header.Write(&text)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, fmt.Sprintf("%s: %d\n%s%s", r.Method, got.status, text.String(), got.body)) // the path is the client's
}

// post calls the public API.
func (a *api) post(path, body string, header ...string) *reply {
	a.Helper()
	return a.do(a.public, request(http.MethodPost, "http://127.0.0.1:8080"+path, body, header...))
}

// operate calls the admin API.
func (a *api) operate(method, path, body string, header ...string) *reply {
	a.Helper()
	return a.do(a.admin, request(method, "http://127.0.0.1:8081"+path, body, header...))
}

func (a *api) send(fields string) *reply {
	a.Helper()
	return a.post("/api/v1/sms/send", fields)
}

func (a *api) sendTo(phone string) *reply {
	a.Helper()
	return a.send(`{"phone":` + quote(phone) + `,"scene":"login"}`)
}

func (a *api) resend(id string) *reply {
	a.Helper()
	return a.post("/api/v1/sms/resend", `{"sms_id":`+quote(id)+`}`)
}

func (a *api) verify(id, code string) *reply {
	a.Helper()
	return a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":`+quote(code)+`}`)
}

// code reads the newest message of a verification.
func (a *api) code(id string) string {
	a.Helper()
	found := a.mock.Messages(mock.Filter{SMSID: id, Limit: 1})
	if len(found) == 0 {
		a.Fatal("no message for the verification")
	}
	return found[0].Code.Reveal()
}

// sent sends to phone, which must work, and returns the sms_id and the code.
func (a *api) sent(phone string) (id, code string) {
	a.Helper()
	r := a.sendTo(phone)
	if r.status != http.StatusOK {
		a.Fatalf("send: %d %s", r.status, r.body)
	}
	id = r.text("sms_id")
	return id, a.code(id)
}

// want fails unless r is the problem with this code.
func (a *api) want(r *reply, status int, code string) {
	a.Helper()
	if r.status != status || r.code() != code {
		a.Errorf("answer %d %q, want %d %q: %s", r.status, r.code(), status, code, r.body)
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// wrong is a code of the same length that is not it.
func wrong(code string) string {
	last := code[len(code)-1]
	return code[:len(code)-1] + string('0'+(last-'0'+1)%10)
}
