package httpapi

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"smsd/internal/policy"
)

// parallel runs n calls at once and counts the answers by status and code.
func parallel(n int, call func(i int) *reply) map[string]int {
	var wait sync.WaitGroup
	var mu sync.Mutex
	counts := map[string]int{}
	gate := make(chan struct{})
	for i := range n {
		wait.Go(func() {
			<-gate
			r := call(i)
			mu.Lock()
			defer mu.Unlock()
			counts[fmt.Sprint(r.status, " ", r.code())]++
		})
	}
	close(gate)
	wait.Wait()
	return counts
}

// better-auth PR 8067, 3253: 50 parallel verifies of the right code, then once more.
func TestParallelRightVerifies(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	got := parallel(50, func(int) *reply { return a.verify(id, code) })
	if got["200 "] != 1 || got["410 code_used"] != 49 {
		t.Errorf("answers %v, want one 200 and 49 times code_used", got)
	}
	a.want(a.verify(id, code), 410, "code_used")
}

// zendvo PR 353: 50 parallel wrong verifies with 5 attempts.
func TestParallelWrongVerifies(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	got := parallel(50, func(int) *reply { return a.verify(id, wrong(code)) })
	if got["422 code_incorrect"] != 5 || got["410 attempts_exhausted"] != 45 {
		t.Errorf("answers %v, want five code_incorrect and 45 attempts_exhausted", got)
	}
	a.want(a.verify(id, code), 410, "attempts_exhausted")
}

// openwisp-radius PR 790, care PR 3630: 100 parallel sends at limit 5.
func TestParallelSends(t *testing.T) {
	t.Parallel()
	text := `
limits: [{name: phone-hour, by: [phone], limit: 5, window: 1h}]
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: ["*"]
    number_types: [mobile]
    templates: {en: "{{.Code}} is your code."}
`
	p, _, err := policy.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t, func(s *setup) { s.policy = p })
	got := parallel(100, func(int) *reply { return a.sendTo(alice) })
	if got["200 "] != 5 || got["429 rate_limited"] != 95 || len(a.messages()) != 5 {
		t.Errorf("answers %v and %d messages, want exactly 5", got, len(a.messages()))
	}
}

// kratos PR 4606: many sms_ids for one phone, guesses spread over them: the guess budget refuses new sends.
func TestGuessesOverManyVerifications(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	wrongs := 0
	for range 3 {
		id, code := a.sent(alice)
		for range 4 {
			if r := a.verify(id, wrong(code)); r.code() == "code_incorrect" {
				wrongs++
			}
		}
		a.clock.Advance(2 * time.Minute)
		if wrongs >= 10 {
			break
		}
	}
	r := a.sendTo(alice)
	a.want(r, 429, "rate_limited")
	a.want(a.send(`{"phone":"+8613800138000","scene":"register"}`), 200, "")
}

// identity-idp#2388, dearmep#162, ezauth#196: a stranger spends the victim's limits from elsewhere; the code
// that is out still verifies.
func TestStrangerCannotEndALiveCode(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	for i := range 30 {
		a.clock.Advance(time.Second)
		r := request("POST", "http://127.0.0.1:8080/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"}`)
		r.RemoteAddr = fmt.Sprintf("198.51.100.%d:1", i)
		a.do(a.public, r)
	}
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
}

// wso2 product-is 27963: a new session counts on; fxa PR 18419: refused at the send, not at the verify.
func TestLimitsOutliveSessions(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	for _, header := range []string{"Cookie", "User-Agent", "Proxy-Authorization", "X-Device"} {
		a.want(a.post("/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"}`, header, "another"), 429, "rate_limited")
	}
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
}
