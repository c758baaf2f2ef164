package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"smsd/internal/gateway/mock"
	"smsd/internal/policy"
)

// crowd calls a server as many clients at once, and keeps the ids of its answers.
type crowd struct {
	*api
	http    *http.Client
	address string

	mu  sync.Mutex
	ids map[string]int
}

// Memory is used again from request to request, and header values are shared. Of many clients of two apps at once, on connections
// that are kept, each gets the answer to its own request, under an id that nobody else has, and the log tells of each by its id.
func TestEachRequestGetsItsOwnAnswer(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte(`
limits: [{name: phone, by: [phone], limit: 1, window: 1h}]
scenes: {login: {countries: ["*"], number_types: [mobile], templates: {en: "{{.Code}}"}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t, func(s *setup) { s.policy = p })
	_, address := listen(t, a, a.public)
	c := &crowd{api: a, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}, address: address, ids: map[string]int{}}
	defer c.http.CloseIdleConnections()
	keys := []string{a.keys.Secret("shop"), a.keys.Secret("blog")}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 3 {
				c.verification(fmt.Sprintf("+86138%04d%04d", i, n), keys[i%2], keys[1-i%2])
			}
		})
	}
	all.Wait()
	c.eachLineHasAnID()
	shared := [][]string{noStore, noSniff, varyOrigin, asJSON, asProblem}
	want := [][]string{{"no-store"}, {"nosniff"}, {"Origin"}, {"application/json"}, {"application/problem+json"}}
	if !slices.EqualFunc(shared, want, slices.Equal) {
		t.Errorf("the header values that answers share are %q", shared)
	}
}

// verification is one life of a code, with what is refused meanwhile.
func (c *crowd) verification(number, key, stranger string) {
	send := fmt.Sprintf(`{"phone":%q,"scene":"login"}`, number)
	sent := c.call(sendPath, key, strings.NewReader(send))
	id := sent.text("sms_id")
	messages := c.mock.Messages(mock.Filter{SMSID: id, Limit: 1})
	if sent.status != http.StatusOK || !strings.HasSuffix(sent.text("phone"), number[len(number)-4:]) || len(messages) != 1 || messages[0].Phone.E164() != number {
		c.Errorf("send to %s: %d %s", number, sent.status, sent.body)
		return
	}
	right := fmt.Sprintf(`{"sms_id":%q,"code":%q}`, id, messages[0].Code.Reveal())
	c.want(c.call(verifyPath, stranger, strings.NewReader(right)), 404, "verification_not_found")
	c.want(c.call(sendPath, key, chunked(send)), 429, "rate_limited")
	c.want(c.call(sendPath, key, strings.NewReader(send+strings.Repeat(" ", maxBody))), 413, "body_too_large")
	c.want(c.call(sendPath, key, chunked(send+strings.Repeat(" ", maxBody))), 413, "body_too_large")
	c.want(c.call(sendPath, key, chunked("")), 400, "invalid_request")
	verified := c.call(verifyPath, key, chunked(right))
	if verified.status != http.StatusOK || verified.text("phone") != number || verified.text("sms_id") != id {
		c.Errorf("verify of %s: %d %s", number, verified.status, verified.body)
	}
}

// chunked is a body whose length the client does not say.
func chunked(text string) io.Reader { return io.MultiReader(strings.NewReader(text)) }

// call returns an answer that is as documented, and whose problem has its id.
func (c *crowd) call(path, key string, body io.Reader) *reply {
	r, err := http.NewRequest(http.MethodPost, "http://"+c.address+path, body)
	if err != nil {
		c.Error(err)
		return &reply{}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+key)
	response, err := c.http.Do(r)
	if err != nil {
		c.Error(err)
		return &reply{}
	}
	text, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	got := &reply{response.StatusCode, response.Header, text}
	id := got.header.Get("X-Request-Id")
	if err := c.spec.check(r, got.status, got.header, got.body); err != nil {
		c.Error(err)
	}
	if got.status >= 400 && got.text("request_id") != id {
		c.Errorf("%s: the problem has another request id", path)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids[id]++; id == "" || c.ids[id] > 1 {
		c.Errorf("%d answers have the id %q", c.ids[id], id)
	}
	return got
}

// eachLineHasAnID checks that every line of the log but one about what it leaves out has a request's id, and that one is of the
// request as a whole.
func (c *crowd) eachLineHasAnID() {
	whole := map[string]int{}
	for line := range strings.Lines(c.log.String()) {
		var l struct {
			Msg string `json:"msg"`
			ID  string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || c.ids[l.ID] == 0 && l.Msg != "lines were left out" {
			c.Errorf("a line of no request: %s", line)
		}
		if l.Msg == "request" {
			whole[l.ID]++
		}
	}
	for id := range c.ids {
		if whole[id] != 1 {
			c.Errorf("%d lines are of the whole of request %s", whole[id], id)
		}
	}
}
