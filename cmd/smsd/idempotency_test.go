package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"smsd/internal/testserver"
)

// keyed is what a request under a key was answered; status 0: nobody answered.
type keyed struct {
	status int
	header http.Header
	body   []byte
}

func (k keyed) text(name string) string {
	var all map[string]any
	_ = json.Unmarshal(k.body, &all)
	s, _ := all[name].(string)
	return s
}

func (i *instance) keyedSend(key, phone string) keyed {
	r, err := http.NewRequest(http.MethodPost, i.api+"/api/v1/sms/send", bytes.NewReader([]byte(`{"phone":"`+phone+`","scene":"login"}`)))
	if err != nil {
		return keyed{}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err != nil {
		return keyed{}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return keyed{}
	}
	return keyed{response.StatusCode, response.Header, body}
}

func (i *instance) messages(t *testing.T) int {
	t.Helper()
	var found struct{ Messages []inboxMessage }
	if status := ask(http.MethodGet, i.admin+"/mock/messages", nil, &found); status != http.StatusOK {
		t.Fatalf("inbox: %d", status)
	}
	return len(found.Messages)
}

// afterwards waits until a repetition is no longer told that the request is running.
func (i *instance) afterwards(t *testing.T, a asked) keyed {
	t.Helper()
	for end := time.Now().Add(2 * patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if got := i.soon(a); got.text("code") != "request_in_progress" {
			return got
		}
	}
	t.Fatal("running for ever")
	return keyed{}
}

// soon is [instance.keyedSend] on a machine that may be busy: who is told that the database was too slow comes again.
func (i *instance) soon(a asked) keyed {
	got := i.sendOne(a)
	for end := time.Now().Add(patience); got.status == http.StatusServiceUnavailable && time.Now().Before(end); got = i.sendOne(a) {
		time.Sleep(10 * time.Millisecond)
	}
	return got
}

// kept sends under one key after the other until an answer is kept: where the database was too slow for that, a repetition is told
// that nobody knows it yet.
func (i *instance) kept(t *testing.T) (one asked, answer keyed) {
	t.Helper()
	for n, end := 0, time.Now().Add(patience); time.Now().Before(end); n++ {
		one := asked{fmt.Sprint("k", n), fmt.Sprintf("+86138001380%02d", n)}
		first := i.soon(one)
		if again := i.soon(one); first.status == http.StatusOK && again.replays(first) {
			return one, first
		}
	}
	t.Fatal("no answer is kept")
	return asked{}, keyed{}
}

// replays says whether k is first once more.
func (k keyed) replays(first keyed) bool {
	return k.status == http.StatusOK && bytes.Equal(k.body, first.body) && k.header.Get("Idempotency-Replayed") == "true"
}

// takenForRunning is how long a send is that has no answer; a machine that is very busy may need longer to start the next process.
const takenForRunning = 15 * time.Second

// An answer outlives its process, whether that was stopped or killed.
func TestAnAnswerOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	environment := []string{"PATH=" + os.Getenv("PATH"), "SMSD_DATA_DIR=" + t.TempDir()}
	one := begin(t, environment)
	request, first := one.kept(t)
	if _, err := one.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		next := begin(t, environment)
		if again := next.soon(request); !again.replays(first) {
			t.Errorf("in the next process: %d %s", again.status, again.body)
		}
		if n := next.messages(t); n != 0 {
			t.Errorf("%d messages more", n)
		}
		next.kill()
	}
}

// A process is killed while its gateway has the message: the next one never sends another under that key, and tells
// what it knows, always in the same words.
func TestKilledWhileTheGatewayHasTheMessage(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	environment := []string{"PATH=" + os.Getenv("PATH"), "SMSD_DATA_DIR=" + t.TempDir(), "SMSD_REDIS_URL=" + server.URL(), longTry}
	one := begin(t, environment)
	fault := map[string]any{"fault": "slow", "phone": hotNumber, "times": 1, "delay": "30s"}
	if status := ask(http.MethodPut, one.admin+"/mock/faults", fault, nil); status != http.StatusNoContent {
		t.Fatalf("fault: %d", status)
	}
	answered, began := make(chan keyed, 1), time.Now()
	request := asked{"k", hotNumber}
	go func() { answered <- one.soon(request) }()
	waitFor(t, "the gateway has the message", func() bool {
		var set struct{ Faults []any }
		return ask(http.MethodGet, one.admin+"/mock/faults", nil, &set) == http.StatusOK && len(set.Faults) == 0
	})
	one.kill()
	if got := <-answered; got.status != 0 {
		t.Fatalf("the process was too quick: %d %s", got.status, got.body)
	}
	next := begin(t, environment)
	if got := next.soon(request); time.Since(began) < takenForRunning && (got.status != http.StatusConflict || got.header.Get("Retry-After") == "") {
		t.Errorf("at once: %d %s", got.status, got.body)
	}
	got := next.afterwards(t, request)
	if got.status != http.StatusOK || got.text("delivery") != "unknown" || got.text("sms_id") == "" || got.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("then: %d %s", got.status, got.body)
	}
	if again := next.afterwards(t, request); !bytes.Equal(again.body, got.body) {
		t.Errorf("and then: %d %s", again.status, again.body)
	}
	if n := next.messages(t); n != 0 {
		t.Errorf("%d messages more", n)
	}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not yet: %s", what)
		}
	}
}
