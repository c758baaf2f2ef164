package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/config"
)

// patience is how long a test waits for what should happen at once, on the slowest machine.
const patience = 30 * time.Second

// logs collects what instances log. Safe for concurrent use.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// newApp returns an instance that is not started, and its log.
func newApp(t *testing.T, cfg *config.Config) (*App, *logs) {
	t.Helper()
	log := &logs{}
	a, err := New(cfg, Options{Logger: NewLogger(config.Log{Level: "debug", Format: "text"}, log)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = a.Stop(context.Background()) // tests that care have stopped it
		if t.Failed() {
			t.Logf("log:\n%s", log)
		}
	})
	return a, log
}

// startApp returns a running instance.
func startApp(t *testing.T, cfg *config.Config) (*App, *logs) {
	t.Helper()
	a, log := newApp(t, cfg)
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a, log
}

// answer is what came back.
type answer struct {
	status int
	body   map[string]any
	raw    string // headers and body
	err    error
	took   time.Duration
}

func (a answer) text(name string) string { s, _ := a.body[name].(string); return s }

// call makes one request; body may be nil.
func call(method, url string, body any) answer { return callFrom("", method, url, body) }

// callFrom makes one request that a proxy says to be from client.
func callFrom(client, method, url string, body any) answer {
	var text io.Reader = http.NoBody
	if body != nil {
		encoded, _ := json.Marshal(body)
		text = bytes.NewReader(encoded)
	}
	request, err := http.NewRequest(method, url, text)
	if err != nil {
		return answer{err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	if client != "" {
		request.Header.Set("X-Forwarded-For", client)
	}
	caller := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	began := time.Now()
	response, err := caller.Do(request)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, took: time.Since(began)}
	raw, err := io.ReadAll(response.Body)
	a.raw = fmt.Sprint(response.Header) + "\n" + string(raw)
	if strings.Contains(response.Header.Get("Content-Type"), "json") {
		_ = json.Unmarshal(raw, &a.body) // a test that looks inside sees what is missing
	}
	a.err = err
	return a
}

// sendTo asks for a code for phone.
func sendTo(a *App, phone string) answer {
	return call("POST", a.PublicURL()+"/api/v1/sms/send", map[string]string{"phone": phone, "scene": "login"})
}

// verify submits a code.
func verify(a *App, id, code string) answer {
	return call("POST", a.PublicURL()+"/api/v1/sms/verify", map[string]string{"sms_id": id, "code": code})
}

// codeOf reads the newest message of a verification in the inbox.
func codeOf(t *testing.T, a *App, id string) string {
	t.Helper()
	for _, m := range a.http.Mock.Messages(mockFilter(id)) {
		return m.Code.Reveal()
	}
	t.Fatalf("no message for %s", id)
	return ""
}

// until waits for what another goroutine or process brings about.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so in %s: %s", patience, what)
		}
	}
}

// writeFile makes a file in a folder of its own.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
