package policy

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// text is a policy that differs from others of another attempts.
func text(attempts int) string {
	return fmt.Sprintf("scenes:\n  login:\n    code: {attempts: %d}\n    templates: {en: \"{{.Code}}\"}\n", attempts)
}

const faulty = "limits:\n  - {name: a, by: [phone], limit: 0, window: 1h}\nscenes:\n  login: {resend: fresh}\n"

// watching is a Source under Watch in a folder of its own.
type watching struct {
	*Source
	t      *testing.T
	file   string
	seen   chan outcome // one for each reading by Watch
	log    *safeBuffer
	cancel func()
	ended  chan error
}

// never is a poll that never comes, so that what is seen was told by events.
const never = 1000 * time.Hour

// startWatch opens a file that holds text(1).
func startWatch(t *testing.T, file string, poll, glances time.Duration) *watching {
	t.Helper()
	log := &safeBuffer{}
	s, err := Open(SourceOptions{Path: file, Logger: slog.New(slog.NewTextHandler(log, nil)), Registerer: prometheus.NewRegistry()})
	if err != nil {
		t.Fatal(err)
	}
	w := &watching{Source: s, t: t, file: file, seen: make(chan outcome, 1000), log: log, ended: make(chan error, 1)}
	s.poll, s.glances = poll, glances
	s.observe = func(o outcome) {
		select {
		case w.seen <- o:
		case <-t.Context().Done(): // a poll may have more to tell than the test asks
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	w.cancel = cancel
	go func() { w.ended <- s.Watch(ctx) }()
	<-w.seen // the reading at the start: from now on the folder is watched
	t.Cleanup(cancel)
	return w
}

// until waits for the policy of text; it hangs until the test's deadline if that never comes.
func (w *watching) until(text string) {
	w.t.Helper()
	for want := version([]byte(text)); w.Current().Version != want; {
		<-w.seen
	}
}

// when waits until holds, of what the readings so far have come to: none is under way meanwhile.
func (w *watching) when(holds func() bool) {
	w.t.Helper()
	for !w.between(holds) {
		<-w.seen
	}
}

// between asks while no reading is under way.
func (w *watching) between(holds func() bool) bool {
	w.reading.Lock()
	defer w.reading.Unlock()
	return holds()
}

// good is what the metric says of the file.
func (w *watching) good() bool { return testutil.ToFloat64(w.metrics.good) == 1 }

func newFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	write(t, file, text(1))
	return file
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// safeBuffer takes a log.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
