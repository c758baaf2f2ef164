package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// chain is one process after the other on one Redis, each killed, and what their clients saw.
type chain struct {
	t           *testing.T
	server      *testserver.RedisServer
	environment []string
	*instance

	mu    sync.Mutex
	codes map[string]string // by sms_id, of every message that was seen
	wins  map[string]int    // verifies that were answered 200, by sms_id
	hot   int               // sends to the hot number that were answered 200
}

const hotNumber = "+8613800138000"

func newChain(t *testing.T, limits string) *chain {
	t.Helper()
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	text := "limits: [" + limits + "]\nscenes:\n  login: {templates: {en: \"{{.Code}} is your code.\"}}\n"
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &chain{t: t, server: testserver.Redis(t), codes: map[string]string{}, wins: map[string]int{}}
	c.environment = []string{
		"PATH=" + os.Getenv("PATH"), "SMSD_REDIS_URL=" + c.server.URL(), "SMSD_DATA_DIR=" + t.TempDir(), "SMSD_POLICY_FILE=" + policy,
		"SMSD_REDIS_BUDGET=5s", "SMSD_LOCAL_IP_RATE=100000", "SMSD_LOCAL_IP_BURST=100000",
	}
	return c
}

// next starts the next process.
func (c *chain) next() {
	c.t.Helper()
	c.instance = begin(c.t, c.environment)
}

func (c *chain) send(phone string) (id string, status int) {
	var sent struct {
		ID string `json:"sms_id"`
	}
	status = ask(http.MethodPost, c.api+"/api/v1/sms/send", map[string]string{"phone": phone, "scene": "login"}, &sent)
	return sent.ID, status
}

type inboxMessage struct {
	ID   string `json:"sms_id"`
	Code string `json:"code"`
}

func (c *chain) inbox(phone string) []inboxMessage {
	var found struct{ Messages []inboxMessage }
	ask(http.MethodGet, c.admin+"/mock/messages?phone="+url.QueryEscape(phone), nil, &found)
	return found.Messages
}

// verify submits a code that was seen, and keeps account.
func (c *chain) verify(id string) int {
	c.mu.Lock()
	code := c.codes[id]
	c.mu.Unlock()
	status := ask(http.MethodPost, c.api+"/api/v1/sms/verify", map[string]string{"sms_id": id, "code": code}, nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	if status == http.StatusOK {
		c.wins[id]++
	}
	return status
}

// work is a client that sends to numbers of its own and to the hot one, and submits each code twice at once,
// until nobody answers.
func (c *chain) work(phone func(n int) string) {
	for n := 0; ; n++ {
		_, status := c.send(hotNumber)
		if status == http.StatusOK {
			c.mu.Lock()
			c.hot++
			c.mu.Unlock()
		}
		id, status := c.send(phone(n))
		if status == 0 {
			return
		}
		for _, m := range c.inbox(phone(n)) {
			c.mu.Lock()
			c.codes[m.ID] = m.Code
			c.mu.Unlock()
		}
		if c.known(id) {
			c.twice(id)
		}
	}
}

func (c *chain) known(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.codes[id] != ""
}

func (c *chain) twice(id string) (statuses [2]int) {
	var both sync.WaitGroup
	for n := range statuses {
		both.Go(func() { statuses[n] = c.verify(id) })
	}
	both.Wait()
	return statuses
}

// won is how many codes were used.
func (c *chain) won() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.wins)
}

// again submits every code that was seen twice more, to the process that came after: each is good or gone.
func (c *chain) again() {
	c.t.Helper()
	for id := range c.codes {
		for _, status := range c.twice(id) {
			if status != http.StatusOK && status != http.StatusGone {
				c.t.Errorf("verify after the kill: status %d", status)
			}
		}
	}
}

// expiring checks that every key has an expiry.
func (c *chain) expiring() {
	c.t.Helper()
	r := redis.NewClient(&redis.Options{Network: "unix", Addr: c.server.Socket()})
	defer r.Close()
	keys := r.Keys(c.t.Context(), "*").Val()
	if len(keys) < 5 {
		c.t.Errorf("%d keys: the kill came before anything happened", len(keys))
	}
	for _, key := range keys {
		if ttl := r.PTTL(c.t.Context(), key).Val(); ttl == -1 {
			c.t.Errorf("key %q has no expiry", key)
		}
	}
}

// redis/redis#4548, better-auth PR 8067: kill -9 at random moments under load, five processes in a row: no counter
// without an expiry, no limit that is exceeded over all of them, no code that can be used twice.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	c := newChain(t, "{name: hour, by: [phone], limit: 5, window: 1h}, {name: net, by: [ip_net], limit: 100000, window: 1h}, "+
		"{name: checks, by: [ip], limit: 100000, window: 1m, on: verify}, {name: guesses, by: [phone, scene], limit: 10, window: 1h, on: guess}")
	for round := range 5 {
		c.next()
		c.again()
		used := len(c.wins)
		var clients sync.WaitGroup
		for client := range 6 {
			clients.Go(func() { c.work(func(n int) string { return fmt.Sprintf("+86138%d%d%06d", round, client, n) }) })
		}
		for end := time.Now().Add(time.Minute); !c.busy(round) || c.won() == used; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("round %d: no code was used within a minute", round)
			}
		} // then somewhere in the middle of what the six do
		time.Sleep(rand.N(20 * time.Millisecond))
		c.kill()
		clients.Wait()
		c.expiring()
	}
	c.next()
	c.again()
	for _, n := range c.wins {
		if n > 1 {
			t.Errorf("a code was used %d times", n)
		}
	}
	if c.hot > 5 {
		t.Errorf("%d sends to one number passed, the limit is 5", c.hot)
	}
	t.Logf("%d codes, %d of them used, %d sends to the hot number", len(c.codes), len(c.wins), c.hot)
}

// busy says that the clients of a round have got somewhere.
func (c *chain) busy(round int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.codes) >= 12*(round+1)
}

// zitadel 7186: killed when the gateway has the message and the client has no answer. Nothing is sent by itself
// later, the number's limit holds, and the code is good once.
func TestKilledBetweenAcceptanceAndAnswer(t *testing.T) {
	t.Parallel()
	c := newChain(t, "{name: cooldown, by: [phone, scene], limit: 1, window: 1h}")
	c.environment = append(c.environment, longTry)
	c.next()
	slow := map[string]any{"fault": "slow", "phone": hotNumber, "times": 1, "delay": "30s"}
	if status := ask(http.MethodPut, c.admin+"/mock/faults", slow, nil); status != http.StatusNoContent && status != 0 {
		t.Fatalf("fault: %d", status)
	}
	answered := make(chan int, 1)
	go func() { _, status := c.send(hotNumber); answered <- status }()
	var m inboxMessage
	if status := ask(http.MethodGet, c.admin+"/mock/messages/wait?timeout=30s&phone="+url.QueryEscape(hotNumber), nil, &m); status != http.StatusOK {
		t.Fatalf("the gateway has no message: %d", status)
	}
	c.kill()
	if status := <-answered; status != 0 {
		t.Fatalf("answered %d before the kill", status)
	}
	c.codes[m.ID] = m.Code

	c.next()
	if _, status := c.send(hotNumber); status != http.StatusTooManyRequests {
		t.Errorf("the client tries again: %d, want 429", status)
	}
	if n := len(c.inbox(hotNumber)); n != 0 {
		t.Errorf("%d more messages", n)
	}
	if first, second := c.verify(m.ID), c.verify(m.ID); first != http.StatusOK || second != http.StatusGone {
		t.Errorf("verify: %d, then %d", first, second)
	}
}
