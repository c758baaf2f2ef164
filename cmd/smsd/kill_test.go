package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// kill -9 at any moment leaves no counter without expiry, and no code that can be used twice: three rounds of
// sends and verifies on one Redis, each cut off in the middle, each followed by another process that is
// asked to verify the same codes again.
func TestKillAtAnyMomentOnRedis(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	data := t.TempDir()
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte(killPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := []string{"PATH=" + os.Getenv("PATH"), "SMSD_REDIS_URL=" + server.URL(), "SMSD_DATA_DIR=" + data, "SMSD_POLICY_FILE=" + policy}
	for round := range 3 {
		ledger := &ledger{round: round}
		first := begin(t, environment)
		ledger.work(first, int64(20+30*round))
		expiring(t, server.URL())
		second := begin(t, environment)
		ledger.again(t, second)
		second.kill()
	}
}

const killPolicy = `
limits:
  - {name: hour, by: [phone], limit: 5, window: 1h}
  - {name: net, by: [ip_net], limit: 100000, window: 1h}
  - {name: guesses, by: [phone, scene], limit: 10, window: 1h, on: guess}
scenes:
  login: {templates: {en: "{{.Code}} is your code."}}
`

func begin(t *testing.T, environment []string) *instance {
	t.Helper()
	i, err := start(t.TempDir(), environment)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.kill)
	return i
}

// ledger is what clients saw.
type ledger struct {
	round int
	mu    sync.Mutex
	codes map[string]string // by sms_id
	wins  map[string]int    // verifies that were answered 200, by sms_id
}

// work sends and verifies from eight clients, and kills the instance after so many answers.
func (l *ledger) work(i *instance, answers int64) {
	l.codes, l.wins = map[string]string{}, map[string]int{}
	var answered atomic.Int64
	var clients sync.WaitGroup
	for client := range 8 {
		clients.Go(func() {
			for n := 0; l.one(i, 100*client+n); n++ {
				if answered.Add(1) == answers {
					i.kill()
				}
			}
		})
	}
	clients.Wait()
}

// one sends to the n-th number, and submits its code twice at once. It returns false once nobody answers.
func (l *ledger) one(i *instance, n int) bool {
	phone := fmt.Sprintf("+86138%01d%03d%04d", l.round, n%1000, 1000+n)
	var sent struct {
		ID string `json:"sms_id"`
	}
	if status := ask(i.api+"/api/v1/sms/send", map[string]string{"phone": phone, "scene": "login"}, &sent); status != http.StatusOK {
		return status != 0
	}
	var inbox struct {
		Messages []struct{ Code string }
	}
	if ask(i.admin+"/mock/messages?sms_id="+sent.ID, nil, &inbox) != http.StatusOK || len(inbox.Messages) == 0 {
		return false
	}
	l.mu.Lock()
	l.codes[sent.ID] = inbox.Messages[0].Code
	l.mu.Unlock()
	l.submit(i, sent.ID)
	return l.submit(i, sent.ID) != 0
}

func (l *ledger) submit(i *instance, id string) int {
	l.mu.Lock()
	code := l.codes[id]
	l.mu.Unlock()
	status := ask(i.api+"/api/v1/sms/verify", map[string]string{"sms_id": id, "code": code}, nil)
	l.mu.Lock()
	defer l.mu.Unlock()
	if status == http.StatusOK {
		l.wins[id]++
	}
	return status
}

// again submits every code once more, to the process that came after.
func (l *ledger) again(t *testing.T, i *instance) {
	t.Helper()
	if len(l.codes) == 0 || len(l.wins) == 0 {
		t.Errorf("round %d: the kill came before anything happened", l.round)
	}
	for id := range l.codes {
		if status := l.submit(i, id); status != http.StatusOK && status != http.StatusGone {
			t.Errorf("verify after the kill: status %d", status)
		}
		if n := l.wins[id]; n > 1 {
			t.Errorf("a code was used %d times", n)
		}
	}
	t.Logf("round %d: %d codes, %d used before or after the kill", l.round, len(l.codes), len(l.wins))
}

// expiring sees that every key has an expiry.
func expiring(t *testing.T, url string) {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil || len(keys) == 0 {
		t.Fatalf("%d keys: %v", len(keys), err)
	}
	for _, key := range keys {
		if ttl := client.PTTL(t.Context(), key).Val(); ttl <= 0 {
			t.Errorf("key %q has no expiry (%v)", key, ttl)
		}
	}
}

// ask makes one request, a GET where there is no body, and returns its status; 0: nobody answered.
func ask(url string, body, into any) int {
	method, text := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		text, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(text))
	if err != nil {
		return 0
	}
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	if into != nil && json.NewDecoder(response.Body).Decode(into) != nil {
		return 0
	}
	return response.StatusCode
}
