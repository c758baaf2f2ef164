package sms_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/address"
	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/policy"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/requestid"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// rig is a whole service over the embedded stores and the mock gateway, with clocks that a test moves.
type rig struct {
	*sms.Service
	t        testing.TB
	stores   *memstore.Clock // what the stores go by
	wall     *wallClock      // what the service measures gateways with
	codes    *memstore.Codes
	inbox    *mock.Gateway
	policy   atomic.Pointer[sms.Policy]
	log      *logBuffer
	registry *prometheus.Registry
}

// setup is what a test may have otherwise.
type setup struct {
	policy   string // "": the built-in
	codes    func(sms.Codes) sms.Codes
	counters func(throttle.Store) throttle.Store
	driver   gateway.Driver // nil: the mock
	second   gateway.Driver // behind it; nil: none
	random   io.Reader
	secrets  [][]byte
	budget   time.Duration // 0: wide
	local    throttle.LocalOptions
	maxCodes int
	together bool // codes are stored in the step that charges, and in no other
	logger   *slog.Logger
	records  *records.Book
	owners   records.Owners
	sign     func(proof.Verification) (secret.Text, error) // nil: no tokens
}

func newRig(t testing.TB, s setup) *rig {
	t.Helper()
	start := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	r := &rig{
		t: t, wall: &wallClock{now: start}, log: &logBuffer{}, registry: prometheus.NewRegistry(),
		stores: memstore.NewClock(func() time.Time { return start }),
	}
	r.codes = memstore.NewCodes(memstore.Options{Clock: r.stores, MaxCodes: s.maxCodes})
	r.inbox = mock.NewWith(mock.Options{Now: r.wall.Now, Sleep: r.wall.sleep})
	r.usePolicy(s.policy)
	r.restart(s)
	return r
}

// restart makes a new service over the same stores.
func (r *rig) restart(s setup) {
	r.t.Helper()
	codes, counters := sms.Codes(r.codes), throttle.Store(memstore.NewCounters(memstore.Options{Clock: r.stores}))
	if s.codes != nil {
		codes = s.codes(codes)
	}
	if s.counters != nil {
		counters = s.counters(counters)
	}
	if s.together {
		codes, counters = &failing{Codes: codes, put: true}, &together{counters, r.codes}
	}
	if s.driver == nil {
		s.driver = r.inbox
	}
	if s.secrets == nil {
		s.secrets = [][]byte{bytes.Repeat([]byte{1}, 32)}
	}
	if s.local.Rate == 0 {
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1e6, IPBurst: 1e6}
	}
	if s.local.Now == nil {
		s.local.Now = r.wall.Now
	}
	if s.budget == 0 {
		s.budget = time.Minute // a machine that is busy is no fault
	}
	if s.logger == nil {
		s.logger = slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	gateways := []gateway.Gateway{{Name: "mock", Driver: s.driver}}
	if s.second != nil {
		gateways = append(gateways, gateway.Gateway{Name: "second", Driver: s.second})
	}
	r.registry = prometheus.NewRegistry()
	limiter := must(throttle.New(throttle.Options{Store: counters, IndexSecret: bytes.Repeat([]byte{2}, 32), DenyClock: r.stores.Now}))
	r.Service = must(sms.New(sms.Options{
		Policy: r.policy.Load, Limiter: limiter, Local: must(throttle.NewLocal(s.local)), Codes: codes,
		Gateway: must(gateway.NewRouter(gateway.RouterOptions{Gateways: gateways})),
		Keys:    must(sms.NewKeyring(must(keyring.New(s.secrets)))), Registerer: r.registry, StoreBudget: s.budget, Random: s.random,
		Logger: s.logger, Now: r.wall.Now, Records: s.records, Owners: s.owners, Sign: s.sign,
	}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// usePolicy puts another policy in force, as a reload does.
func (r *rig) usePolicy(text string) {
	r.t.Helper()
	if text == "" {
		r.policy.Store(policy.BuiltIn())
		return
	}
	p, _, err := policy.Parse([]byte(text))
	if err != nil {
		r.t.Fatal(err)
	}
	r.policy.Store(p)
}

// pass lets time go by on every clock.
func (r *rig) pass(d time.Duration) {
	r.stores.Advance(d)
	r.wall.advance(d)
}

// wallClock is the service's clock.
type wallClock struct {
	mu  sync.Mutex
	now time.Time
	// also moves along when the gateway sleeps.
	also func(time.Duration)
}

func (c *wallClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *wallClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// sleep is the mock gateway's: it takes no time but on the clocks.
func (c *wallClock) sleep(ctx context.Context, d time.Duration) error {
	c.advance(d)
	if c.also != nil {
		c.also(d)
	}
	return ctx.Err()
}

// logBuffer is a log that several goroutines write.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

const (
	alice = "+8613800138000"
	bob   = "+447400123456"
)

var (
	home = address.From(netip.MustParseAddr("203.0.113.7"))
	cafe = address.From(netip.MustParseAddr("198.51.100.9"))
)

// ask is a plain request for a code.
func ask(number string) sms.SendRequest {
	return sms.SendRequest{Phone: number, Scene: "login", Client: home}
}

func (r *rig) ctx() context.Context { return requestid.With(r.t.Context(), "request-1") }

// send sends, and fails the test if that fails.
func (r *rig) send(q sms.SendRequest) sms.Sent {
	r.t.Helper()
	sent, err := r.Send(r.ctx(), q)
	if err != nil {
		r.t.Fatalf("send: %v", err)
	}
	return sent
}

// refused sends, and returns the refusal.
func (r *rig) refused(q sms.SendRequest) *throttle.Denied {
	r.t.Helper()
	_, err := r.Send(r.ctx(), q)
	var denied *throttle.Denied
	if !errors.As(err, &denied) {
		r.t.Fatalf("send: %v, want a refusal", err)
	}
	return denied
}

// sendFails sends, and checks the error.
func (r *rig) sendFails(q sms.SendRequest, want error) {
	r.t.Helper()
	_, err := r.Send(r.ctx(), q)
	sameError(r.t, "send", err, want)
}

// codeOf is the code in the newest message to a number.
func (r *rig) codeOf(number string) string {
	r.t.Helper()
	return r.newest(number).Code.Reveal()
}

func (r *rig) newest(number string) mock.Message {
	r.t.Helper()
	found := r.messages(number)
	if len(found) == 0 {
		r.t.Fatal("no message")
	}
	return found[0]
}

func (r *rig) messages(number string) []mock.Message {
	return r.inbox.Messages(mock.Filter{Phone: phone.MustParse(number)})
}

// countMessages checks how many messages a number got.
func (r *rig) countMessages(number string, want int) {
	r.t.Helper()
	if got := len(r.messages(number)); got != want {
		r.t.Fatalf("%d messages, want %d", got, want)
	}
}

func (r *rig) submit(id, code string) (sms.Verified, error) {
	return r.Verify(r.ctx(), sms.VerifyRequest{SMSID: id, Code: code, Client: home})
}

// verifies submits a code and checks the error; nil means success.
func (r *rig) verifies(id, code string, want error) sms.Verified {
	r.t.Helper()
	v, err := r.submit(id, code)
	sameError(r.t, "verify", err, want)
	return v
}

// verifyRequest submits and checks the error.
func (r *rig) verifyRequest(q sms.VerifyRequest, want error) sms.Verified {
	r.t.Helper()
	v, err := r.Verify(r.ctx(), q)
	sameError(r.t, "verify", err, want)
	return v
}

func (r *rig) setFault(kind, number string, times int, delay time.Duration) {
	r.t.Helper()
	f := mock.Fault{Kind: kind, Times: times, Delay: delay}
	if number != "" {
		f.Phone = phone.MustParse(number)
	}
	if err := r.inbox.SetFault(f); err != nil {
		r.t.Fatal(err)
	}
}

// sameError checks that err is want: the same sentinel, or the same typed error with the same content.
func sameError(t testing.TB, what string, err, want error) {
	t.Helper()
	var wrong, wantWrong *sms.IncorrectError
	var field, wantField *sms.FieldError
	same := errors.Is(err, want)
	switch {
	case errors.As(want, &wantWrong):
		same = errors.As(err, &wrong) && *wrong == *wantWrong
	case errors.As(want, &wantField):
		same = errors.As(err, &field) && *field == *wantField
	}
	if !same {
		t.Fatalf("%s: %v, want %v", what, err, want)
	}
}

func incorrect(left int) error { return &sms.IncorrectError{AttemptsLeft: left} }

func field(pointer, code string) error { return &sms.FieldError{Pointer: pointer, Code: code} }

// otherCode is a code as long as code, and not it.
func otherCode(code string) string {
	return string('0'+(code[0]-'0'+1)%10) + code[1:]
}

// mockAll chooses every message.
var mockAll = mock.Filter{}

func addressIn(s string) (address.Addr, error) { return address.Parse(s) }

// metric checks that a line stands among the metrics.
func (r *rig) metric(line string) {
	r.t.Helper()
	if text := r.metrics(); !strings.Contains(text, line+"\n") {
		r.t.Errorf("no %s among\n%s", line, text)
	}
}

// metrics are all counters above nought, one a line, as Prometheus writes them.
func (r *rig) metrics() string {
	r.t.Helper()
	var out strings.Builder
	for _, family := range must(r.registry.Gather()) {
		for _, m := range family.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			fmt.Fprintf(&out, "%s{%s} %v\n", family.GetName(), strings.Join(labels, ","), m.Counter.GetValue())
		}
	}
	return out.String()
}
