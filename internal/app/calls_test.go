package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Numbers of nobody.
const (
	alice = "+8613800138000"
	bob   = "+447400123456"
	// german is for what would be in the way of theirs.
	german = "+4915112345678"
)

// home is from where calls come unless a test says otherwise.
const home = "203.0.113.77"

// caller calls an instance over HTTP.
type caller struct {
	t          *testing.T
	api, admin string
	http       *http.Client
	header     http.Header
}

func newCaller(t *testing.T, api, admin string) caller {
	return caller{t: t, api: api, admin: admin, http: client(t)}.forwarded(home)
}

// with adds a field to what is sent along; twice makes two of it.
func (c caller) with(name, value string) caller {
	c.header = c.header.Clone()
	c.header.Add(name, value)
	return c
}

// forwarded is the same caller behind the trusted proxy that every test is; each address makes a field.
func (c caller) forwarded(addresses ...string) caller {
	c.header = c.header.Clone()
	if c.header == nil {
		c.header = http.Header{}
	}
	c.header.Del("X-Forwarded-For")
	for _, a := range addresses {
		c = c.with("X-Forwarded-For", a)
	}
	return c
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	raw    []byte
	took   time.Duration
	err    error
}

func (a answer) field(name string) any {
	var all map[string]any
	_ = json.Unmarshal(a.raw, &all) // what is not there is nil, as what can't be read
	return all[name]
}

func (a answer) text(name string) string { s, _ := a.field(name).(string); return s }

func (a answer) number(name string) int {
	n, ok := a.field(name).(float64)
	if !ok {
		return -1
	}
	return int(n)
}

// code is a problem's, or "".
func (a answer) code() string {
	if a.status < 400 {
		return ""
	}
	return a.text("code")
}

// outcome is the status and, of a problem, its code.
func (a answer) outcome() string {
	if a.err != nil {
		return a.err.Error()
	}
	return strings.TrimSpace(fmt.Sprint(a.status, " ", a.code()))
}

func (a answer) String() string {
	return fmt.Sprintf("%s after %s: %.300s", a.outcome(), a.took, a.raw)
}

// do makes a request; body is text as it is, or a value to be made JSON, or nil.
func (c caller) do(method, address string, body any) answer {
	var content io.Reader = http.NoBody
	switch b := body.(type) {
	case nil:
	case io.Reader:
		content = b
	case string:
		content = strings.NewReader(b)
	default:
		encoded, _ := json.Marshal(b)
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(c.t.Context(), method, address, content)
	if err != nil {
		return answer{err: err}
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	return c.roundTrip(request)
}

func (c caller) roundTrip(request *http.Request) answer {
	began := time.Now()
	response, err := c.http.Do(request)
	if err != nil {
		return answer{err: err, took: time.Since(began)}
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	return answer{status: response.StatusCode, header: response.Header, raw: raw, took: time.Since(began), err: err}
}

// get reads what the public API has at path.
func (c caller) get(path string) answer { return c.do(http.MethodGet, c.api+path, nil) }

// post calls the public API: action is send, resend or verify.
func (c caller) post(action string, body any) answer {
	return c.do(http.MethodPost, c.api+"/api/v1/sms/"+action, body)
}

type fields map[string]any

func (c caller) send(phone string) answer {
	return c.post("send", fields{"phone": phone, "scene": "login"})
}

func (c caller) resend(id string) answer { return c.post("resend", fields{"sms_id": id}) }

func (c caller) verify(id, code string) answer {
	return c.post("verify", fields{"sms_id": id, "code": code})
}

// sent sends to phone, which must work, and returns the sms_id and the code.
func (c caller) sent(phone string) (id, code string) {
	c.t.Helper()
	a := c.send(phone)
	c.wants(a, "200")
	return a.text("sms_id"), c.codeOf(a.text("sms_id"))
}

// wants checks an outcome, as "200" or "429 rate_limited", and what must come with every one.
func (c caller) wants(a answer, outcome string) answer {
	c.t.Helper()
	if a.outcome() != outcome {
		c.t.Fatalf("%s, want %s", a, outcome)
	}
	if a.status < 400 {
		return a
	}
	after, _ := strconv.Atoi(a.header.Get("Retry-After"))
	if waits := a.status == 429 || a.status == 503; waits && (after < 1 || a.number("retry_after") != after) || !waits && after != 0 {
		c.t.Fatalf("%s, with Retry-After %q", a, a.header.Get("Retry-After"))
	}
	return a
}

// wrong checks that an attempt was counted, and how many are left.
func (c caller) wrong(a answer, left int) {
	c.t.Helper()
	if c.wants(a, "422 code_incorrect"); a.number("attempts_left") != left {
		c.t.Fatalf("%s, want %d attempts left", a, left)
	}
}

// message is one in the inbox.
type message struct {
	SMSID, Phone, Text, Code, Gateway string
}

// inbox returns the messages, the newest first; query is as "phone=...", or "".
func (c caller) inbox(query string) (found []message) {
	c.t.Helper()
	a := c.do(http.MethodGet, c.admin+"/mock/messages?"+query, nil)
	var body struct {
		Messages []struct {
			SMSID string `json:"sms_id"`
			Phone string `json:"phone"`
			Text  string `json:"text"`
			Code  string `json:"code"`

			Gateway string `json:"gateway"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(a.raw, &body); err != nil || a.status != http.StatusOK {
		c.t.Fatalf("inbox: %s, %v", a, err)
	}
	for _, m := range body.Messages {
		found = append(found, message{m.SMSID, m.Phone, m.Text, m.Code, m.Gateway})
	}
	return found
}

// codeOf reads the newest message of a verification.
func (c caller) codeOf(id string) string {
	c.t.Helper()
	found := c.inbox("sms_id=" + id)
	if len(found) == 0 {
		c.t.Fatalf("no message of %s", id)
	}
	return found[0].Code
}

// countMessages checks how many there are in all.
func (c caller) countMessages(want int) {
	c.t.Helper()
	if found := c.inbox(""); len(found) != want {
		c.t.Fatalf("%d messages, want %d", len(found), want)
	}
}

// fault makes the gateway misbehave once for phone.
func (c caller) fault(kind, phone, delay string) {
	c.t.Helper()
	set := fields{"fault": kind, "phone": phone, "times": 1}
	if delay != "" {
		set["delay"] = delay
	}
	if a := c.do(http.MethodPut, c.admin+"/mock/faults", set); a.status != http.StatusNoContent {
		c.t.Fatalf("fault: %s", a)
	}
}

// resetLimits empties a number's counters. On a machine that is busy the stores may be late for that, and are asked again.
func (c caller) resetLimits(phone string) {
	c.t.Helper()
	until(c.t, "the stores answer a reset", func() bool {
		a := c.do(http.MethodDelete, c.admin+"/mock/limits?phone="+url.QueryEscape(phone), nil)
		if a.status != http.StatusNoContent && a.status != http.StatusServiceUnavailable {
			c.t.Fatalf("reset: %s", a)
		}
		return a.status == http.StatusNoContent
	})
}

// metrics returns what Prometheus reads.
func (c caller) metrics() string {
	c.t.Helper()
	return string(c.wants(c.do(http.MethodGet, c.admin+"/metrics", nil), "200").raw)
}

// otherCode is as long as code, and another one.
func otherCode(code string) string { return string('0'+(code[0]-'0'+1)%10) + code[1:] }

// together makes n calls at once, and counts their outcomes.
func together(n int, call func(i int) answer) map[string]int {
	tally := map[string]int{}
	for _, a := range inParallel(n, call) {
		tally[a.outcome()]++
	}
	return tally
}

// inParallel makes n calls at once.
func inParallel(n int, call func(i int) answer) []answer {
	answers, gate := make([]answer, n), make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-gate
			answers[i] = call(i)
		})
	}
	close(gate)
	all.Wait()
	return answers
}

// advance moves the clock of stores in the process.
func (c caller) advance(d time.Duration) {
	c.t.Helper()
	if a := c.do(http.MethodPost, c.admin+"/mock/clock", fields{"advance": d.String()}); a.status != http.StatusNoContent {
		c.t.Fatalf("clock: %s", a)
	}
}
