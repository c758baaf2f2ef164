package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"

	"smsd/internal/gateway/mock"
	"smsd/internal/policy"
)

// framed is a body as clients may frame it: of a length that is said, or in chunks of any size.
func framed(text string) io.Reader {
	if rand.IntN(2) == 0 {
		return strings.NewReader(text)
	}
	read, write := io.Pipe()
	go func() {
		for rest := text; rest != ""; {
			n := 1 + rand.IntN(len(rest))
			if _, err := io.WriteString(write, rest[:n]); err != nil {
				return
			}
			rest = rest[n:]
		}
		_ = write.Close()
	}()
	return read
}

// Memory is used again from request to request, and header values are shared: of many clients of two apps at once each gets
// its own answer, whole and of its own request, under an id that nobody else has; and the log tells each by its id.
func TestEachRequestGetsItsOwnAnswer(t *testing.T) {
	t.Parallel()
	const clients, rounds = 16, 8
	p, _, err := policy.Parse([]byte(`
limits: [{name: phone, by: [phone], limit: 1, window: 1h}]
scenes: {login: {countries: ["*"], number_types: [mobile], templates: {en: "{{.Code}}"}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t, func(s *setup) { s.policy = p })
	_, address := listen(t, a, a.public)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	keys := []string{a.keys.Secret("shop"), a.keys.Secret("blog")}
	var mu sync.Mutex
	ids := map[string]int{}
	call := func(path, key, body string) *reply {
		r, err := http.NewRequest(http.MethodPost, "http://"+address+path, framed(body))
		if err != nil {
			t.Error(err)
			return &reply{}
		}
		r.Header.Set("Content-Type", "application/json")
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		response, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return &reply{}
		}
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		got := &reply{response.StatusCode, response.Header, text}
		if err := a.spec.check(r, got.status, got.header, got.body); err != nil {
			t.Error(err)
		}
		id := got.header.Get("X-Request-Id")
		mu.Lock()
		ids[id]++
		mu.Unlock()
		if got.status >= 400 && got.text("request_id") != id {
			t.Errorf("%s: the problem has another id", path)
		}
		return got
	}
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := range rounds {
				key, other := keys[i%2], keys[1-i%2]
				number := fmt.Sprintf("+86138%04d%04d", i, n)
				sent := call("/api/v1/sms/send", key, fmt.Sprintf(`{"phone":%q,"scene":"login"}`, number))
				if sent.status != 200 || !strings.HasSuffix(sent.text("phone"), number[len(number)-4:]) {
					t.Errorf("send to %s: %d %s", number, sent.status, sent.body)
					return
				}
				id := sent.text("sms_id")
				m := a.mock.Messages(mock.Filter{SMSID: id, Limit: 1})
				if len(m) != 1 || m[0].Phone.E164() != number {
					t.Errorf("%s: the message went to another", number)
					return
				}
				right := fmt.Sprintf(`{"sms_id":%q,"code":%q}`, id, m[0].Code.Reveal())
				for _, refused := range []struct {
					path, key, body string
					code            string
				}{
					{"/api/v1/sms/verify", other, right, "verification_not_found"},
					{"/api/v1/sms/send", key, fmt.Sprintf(`{"phone":%q,"scene":"login"}`, number), "rate_limited"},
					{"/api/v1/sms/send", "nobody's", fmt.Sprintf(`{"phone":%q,"scene":"login"}`, number), ""},
					{"/api/v1/sms/send", key, `{"phone":1}` + strings.Repeat(" ", rand.IntN(2*maxBody)), ""},
					{"/api/v1/sms/resend", other, fmt.Sprintf(`{"sms_id":%q}`, id), "verification_not_found"},
				} {
					if r := call(refused.path, refused.key, refused.body); r.status < 400 || refused.code != "" && r.code() != refused.code {
						t.Errorf("%s: %d %s", refused.path, r.status, r.body)
					}
				}
				verified := call("/api/v1/sms/verify", key, right)
				if verified.status != 200 || verified.text("phone") != number || verified.text("sms_id") != id {
					t.Errorf("verify of %s: %d %s", number, verified.status, verified.body)
				}
			}
		})
	}
	all.Wait()
	for id, n := range ids {
		if n != 1 || id == "" {
			t.Errorf("%d answers have the id %q", n, id)
		}
	}
	a.eachLineHasAnID(ids)
	shared := [][]string{noStore, noSniff, varyOrigin, asJSON, asProblem}
	if want := [][]string{{"no-store"}, {"nosniff"}, {"Origin"}, {"application/json"}, {"application/problem+json"}}; !slices.EqualFunc(shared, want, slices.Equal) {
		t.Errorf("header values that all share are %q", shared)
	}
	_ = echo.HeaderVary
}

// eachLineHasAnID checks that every line of a request has the id of one, and that each request has its line.
func (a *api) eachLineHasAnID(ids map[string]int) {
	a.Helper()
	told := map[string]int{}
	for line := range bytes.Lines([]byte(a.log.String())) {
		var l struct {
			Msg string `json:"msg"`
			ID  string `json:"request_id"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			a.Fatalf("%v: %s", err, line)
		}
		if ids[l.ID] == 0 {
			a.Errorf("a line of no request: %s", line)
		}
		if l.Msg == "request" {
			told[l.ID]++
		}
	}
	for id := range ids {
		if told[id] != 1 {
			a.Errorf("%d lines tell of the request %s", told[id], id)
		}
	}
}
