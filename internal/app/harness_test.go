// The tests named cases put the whole service through faults that other services are known for. Each is named
// for the public reports of the fault. The service is started as its program starts it and is called over HTTP;
// what is about counters, atomicity or single use is tried on both kinds of stores.
package app

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// patience is how long a test waits for what should happen at once, on the slowest machine.
const patience = time.Minute

// service is an instance and, once it has started, somebody who calls it.
type service struct {
	caller
	app    *App
	cfg    *config.Config
	log    *lines
	policy string // the file
}

// setting changes the settings of an instance before it is made.
type setting func(*config.Config)

// settings are those of an instance that only what a test is about can refuse: limits in front of the store
// and the store's budget are wide, since a machine that is busy is no fault.
func settings(t *testing.T, change ...setting) *config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.DataDir = filepath.Join(t.TempDir(), "data")
	cfg.HTTP.Listen, cfg.Admin.Listen = "127.0.0.1:0", "127.0.0.1:0"
	cfg.HTTP.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	cfg.Secrets = []secret.Text{secret.New(strings.Repeat("a secret of tests", 2))}
	cfg.Local = config.Local{Rate: 1e6, Burst: 1e6, IPRate: 1e6, IPBurst: 1e6}
	cfg.Redis.Budget = patience
	for _, f := range change {
		f(cfg)
	}
	return cfg
}

// onRedis puts counters and codes in the Redis at url.
func onRedis(url string) setting { return func(c *config.Config) { c.Redis.URL = secret.New(url) } }

// ofDev has no secret but the one that is made in data_dir.
func ofDev(c *config.Config) { c.Secrets = nil }

// within bounds the work of the stores.
func within(budget time.Duration) setting { return func(c *config.Config) { c.Redis.Budget = budget } }

// rules is a policy of the scenes login, register and reset_password: limits for all of them, and further lines, which
// are of every scene where they are indented and of the policy where they are not.
func rules(limits string, lines ...string) string {
	var scene, policy strings.Builder
	for _, line := range lines {
		if strings.HasPrefix(line, " ") {
			scene.WriteString("   " + line + "\n")
		} else {
			policy.WriteString(line + "\n")
		}
	}
	text := "limits: [" + limits + "]\nscenes:\n"
	for _, name := range []string{"login", "register", "reset_password"} {
		text += fmt.Sprintf("  %s:\n    templates: {en: %q}\n%s", name, "{{.Code}} is your code for {{.Minutes}} minutes.", scene.String())
	}
	return text + policy.String()
}

// longCode has rules make codes that are too long to be met by chance: a log and metrics are full of six digits in a row.
const longCode = " code: {length: 10}"

// start runs an instance with policy, "" being the built-in one, and returns when it is ready: on a busy machine that may be
// later than when it listens.
func start(t *testing.T, policy string, change ...setting) *service {
	t.Helper()
	s := begin(t, policy, change...)
	until(t, "ready", func() bool { return s.get("/readyz").status == http.StatusOK })
	return s
}

// begin is start for an instance that is not ready for want of something.
func begin(t *testing.T, policy string, change ...setting) *service {
	t.Helper()
	s := assembled(t, policy, change...)
	if err := s.app.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.connect(t)
	return s
}

// assembled is an instance that is not started.
func assembled(t *testing.T, policy string, change ...setting) *service {
	t.Helper()
	s := &service{cfg: settings(t, change...), log: &lines{}}
	if policy != "" {
		s.policy = filepath.Join(t.TempDir(), "policy.yaml")
		s.cfg.PolicyFile = s.policy
		write(t, s.policy, policy)
	}
	var err error
	if s.app, err = New(s.cfg, Options{Logger: NewLogger(config.Log{Level: "debug", Format: "text"}, s.log)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.end(t) })
	return s
}

// run starts the instance as its program does, and returns when it listens.
func (s *service) run(t *testing.T, signals <-chan os.Signal) (ended <-chan error) {
	t.Helper()
	end, started := make(chan error, 1), make(chan struct{})
	s.app.started = func() { close(started) }
	go func() { end <- s.app.Run(context.Background(), signals) }()
	select {
	case <-started:
	case err := <-end:
		t.Fatal(err)
	}
	s.connect(t)
	return end
}

func (s *service) connect(t *testing.T) { s.caller = newCaller(t, s.app.PublicURL(), s.app.AdminURL()) }

func (s *service) end(t *testing.T) {
	_ = s.app.Stop(context.Background()) // a test that cares has stopped it
	if t.Failed() {
		t.Logf("log of the instance:\n%s", s.log.tail())
	}
}

// reload puts another policy in force.
func (s *service) reload(policy string) {
	s.t.Helper()
	write(s.t, s.policy, policy)
	if err := s.app.Reload(); err != nil {
		s.t.Fatal(err)
	}
}

// onBothStores runs test on an instance with its stores in the process, and on one with a Redis of its own.
func onBothStores(t *testing.T, policy string, test func(s *service)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { t.Parallel(); test(start(t, policy)) })
	t.Run("redis", func(t *testing.T) { t.Parallel(); test(start(t, policy, onRedis(testserver.Redis(t).URL()))) })
}

// report is a fault of another service, and a test that this one does not have it.
type report struct {
	name   string
	policy string
	try    func(s *service)
}

// survive runs every report's test on both stores.
func survive(t *testing.T, reports []report) {
	t.Helper()
	for _, r := range reports {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			onBothStores(t, r.policy, r.try)
		})
	}
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

// write replaces the file whole, as editors do: who watches it must not see half of it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// lines collects what an instance logs. Safe for concurrent use.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// tail is enough of the end to see what went wrong.
func (l *lines) tail() string {
	text := l.String()
	return text[max(0, len(text)-8000):]
}

// client is an HTTP client whose connections end with the test.
func client(t *testing.T) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 256}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Timeout: patience, Transport: transport}
}
