package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/apikey"
	"smsd/internal/apikey/keytest"
	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/idempotency"
	"smsd/internal/keyring"
	"smsd/internal/policy"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// api is both listeners over a real service: stores in the process, the mock gateway, a clock that stands
// unless it is moved. Every answer is held against openapi.json and kept for the scan for secrets.
type api struct {
	testing.TB
	public, admin http.Handler
	mock          *mock.Gateway
	clock         *memstore.Clock
	registry      *prometheus.Registry
	log           *lockedBuffer
	spec          *spec
	health        Health
	keys          *keytest.Keys
	http          Options

	mu   sync.Mutex
	seen []string // every answer: its status, header and body
}

// setup is what a test may change before the service is made.
type setup struct {
	http     Options
	keys     *keytest.Keys
	policy   *sms.Policy
	counters func(throttle.Store) throttle.Store
	codes    func(sms.Codes) sms.Codes
	maxCodes int
	maxKeys  int
	noTokens bool
	local    throttle.LocalOptions
	records  *records.Book
	gateway  func(gateway.Driver) gateway.Driver
	entries  idempotency.Store // nil: there is no place for keys
	budget   time.Duration     // of each call of entries; 0: a minute, for the race detector and two cores
	linger   time.Duration     // for a twin on another instance; 0: the usual
}

// start is the instant at which every test begins.
var start = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

func newAPI(t testing.TB, change ...func(*setup)) *api {
	t.Helper()
	a := &api{TB: t, log: &lockedBuffer{}, registry: prometheus.NewRegistry(), health: Health{Ready: true}}
	now := func() time.Time { return start }
	a.clock = memstore.NewClock(now)
	a.mock = mock.New(nil)
	a.keys = keytest.New(t, now)
	logger := slog.New(slog.NewJSONHandler(a.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := &setup{keys: a.keys, policy: policy.BuiltIn(), local: throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1e6, IPBurst: 1e6}}
	s.http = Options{
		Policy: func() *sms.Policy { return s.policy }, Health: func(context.Context) Health { return a.health },
		Keys: a.keys.Directory, Mock: a.mock, Advance: a.clock.Advance, Dev: true, InboxURL: "http://127.0.0.1:8081/mock/", now: now,
		Logger: logger, Registerer: a.registry, Gatherer: a.registry,
	}
	for _, f := range change {
		f(s)
	}
	var err error
	if s.http.Tokens, err = a.tokens(); err != nil {
		t.Fatal(err)
	}
	if s.noTokens {
		s.http.Tokens = nil
	}
	s.http.Service = a.service(s, logger)
	a.http = s.http
	if a.public, err = NewPublic(s.http); err != nil {
		t.Fatal(err)
	}
	if a.admin, err = NewAdmin(s.http); err != nil {
		t.Fatal(err)
	}
	if a.spec, err = theSpec(); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *api) service(s *setup, logger *slog.Logger) *sms.Service {
	a.Helper()
	stores := memstore.Options{Clock: a.clock, MaxCodes: s.maxCodes, MaxKeys: s.maxKeys}
	var counters throttle.Store = memstore.NewCounters(stores)
	var codes sms.Codes = memstore.NewCodes(stores)
	if s.counters != nil {
		counters = s.counters(counters)
	}
	if s.codes != nil {
		codes = s.codes(codes)
	}
	limiter, err := throttle.New(throttle.Options{Store: counters, IndexSecret: bytes.Repeat([]byte("i"), 32), DenyClock: a.clock.Now, Registerer: a.registry})
	if err != nil {
		a.Fatal(err)
	}
	local, err := throttle.NewLocal(s.local)
	if err != nil {
		a.Fatal(err)
	}
	s.http.Local, s.http.Idempotency = local, a.ledger(s)
	var driver gateway.Driver = a.mock
	if s.gateway != nil {
		driver = s.gateway(driver)
	}
	router, err := gateway.NewRouter(gateway.RouterOptions{Gateways: []gateway.Gateway{{Name: "mock", Driver: driver}}, Registerer: a.registry})
	if err != nil {
		a.Fatal(err)
	}
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), 32)})
	if err != nil {
		a.Fatal(err)
	}
	keys, err := sms.NewKeyring(root)
	if err != nil {
		a.Fatal(err)
	}
	service, err := sms.New(sms.Options{
		Policy: s.http.Policy, Limiter: limiter, Local: local, Codes: codes, Gateway: router, Keys: keys, Sign: s.sign(), Records: s.records,
		Logger: logger, Registerer: a.registry, StoreBudget: time.Minute, // the race detector and two cores
	})
	if err != nil {
		a.Fatal(err)
	}
	return service
}

// ledger is what executes requests once; nil if there is no place for keys.
func (a *api) ledger(s *setup) *idempotency.Ledger {
	a.Helper()
	if s.entries == nil {
		return nil
	}
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), 32)})
	if err != nil {
		a.Fatal(err)
	}
	l, err := idempotency.New(idempotency.Options{
		Store: s.entries, IndexSecret: bytes.Repeat([]byte("i"), 32), Secrets: root, Now: a.clock.Now, Registerer: a.registry,
		Budget: cmp.Or(s.budget, time.Minute), Linger: s.linger,
	})
	if err != nil {
		a.Fatal(err)
	}
	return l
}

// sign is what makes tokens, if there are any.
func (s *setup) sign() func(proof.Verification) (secret.Text, error) {
	if s.http.Tokens == nil {
		return nil
	}
	return s.http.Tokens.Sign
}

// tokens are those of the secret that the service has, by the stores' clock.
func (a *api) tokens() (*proof.Tokens, error) {
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), 32)})
	if err != nil {
		return nil, err
	}
	consumed := memstore.NewConsumed(memstore.Options{Clock: a.clock})
	return proof.New(proof.Options{Root: root, Consumed: consumed, Now: a.clock.Now, Registerer: a.registry})
}

// reply is an answer.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// into decodes the body.
func (r *reply) field(name string) any {
	var all map[string]any
	if json.Unmarshal(r.body, &all) != nil {
		return nil
	}
	return all[name]
}

func (r *reply) text(name string) string {
	s, _ := r.field(name).(string)
	return s
}

func (r *reply) number(name string) int {
	f, _ := r.field(name).(float64)
	return int(f)
}

// code is the problem's, or "".
func (r *reply) code() string {
	if r.status < 400 {
		return ""
	}
	return r.text("code")
}

// request makes a request as a client at 203.0.113.9 would; header is pairs.
func request(method, target, body string, header ...string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.RemoteAddr = "203.0.113.9:40000"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

// do serves r and holds the answer against the document.
func (a *api) do(h http.Handler, r *http.Request) *reply {
	a.Helper()
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r)
	result := recorder.Result()
	body, _ := io.ReadAll(result.Body)
	got := &reply{result.StatusCode, result.Header, body}
	if err := a.spec.check(r, got.status, got.header, got.body); err != nil {
		a.Error(err)
	}
	if got.header.Get("X-Request-Id") == "" {
		a.Errorf("%s %s: an answer without a request id", r.Method, r.URL.Path)
	}
	if got.status >= 400 && got.text("request_id") != got.header.Get("X-Request-Id") {
		a.Errorf("%s %s: the problem has another request id", r.Method, r.URL.Path)
	}
	a.keep(r, got)
	return got
}

func (a *api) keep(r *http.Request, got *reply) {
	var text bytes.Buffer
	_ = got.header.Write(&text)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, fmt.Sprintf("%s: %d\n%s%s", r.Method, got.status, text.String(), got.body)) // the path is the client's
}

// post calls the public API.
func (a *api) post(path, body string, header ...string) *reply {
	a.Helper()
	return a.do(a.public, request(http.MethodPost, "http://127.0.0.1:8080"+path, body, header...))
}

// operate calls the admin API.
func (a *api) operate(method, path, body string, header ...string) *reply {
	a.Helper()
	return a.do(a.admin, request(method, "http://127.0.0.1:8081"+path, body, header...))
}

func (a *api) send(fields string) *reply {
	a.Helper()
	return a.post("/api/v1/sms/send", fields)
}

func (a *api) sendTo(phone string) *reply {
	a.Helper()
	return a.send(`{"phone":` + quote(phone) + `,"scene":"login"}`)
}

func (a *api) resend(id string) *reply {
	a.Helper()
	return a.post("/api/v1/sms/resend", `{"sms_id":`+quote(id)+`}`)
}

func (a *api) verify(id, code string) *reply {
	a.Helper()
	return a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":`+quote(code)+`}`)
}

// code reads the newest message of a verification.
func (a *api) code(id string) string {
	a.Helper()
	found := a.mock.Messages(mock.Filter{SMSID: id, Limit: 1})
	if len(found) == 0 {
		a.Fatal("no message for the verification")
	}
	return found[0].Code.Reveal()
}

// sent sends to phone, which must work, and returns the sms_id and the code.
func (a *api) sent(phone string) (id, code string) {
	a.Helper()
	r := a.sendTo(phone)
	if r.status != http.StatusOK {
		a.Fatalf("send: %d %s", r.status, r.body)
	}
	id = r.text("sms_id")
	return id, a.code(id)
}

// want fails unless r is the problem with this code.
func (a *api) want(r *reply, status int, code string) {
	a.Helper()
	if r.status != status || r.code() != code {
		a.Errorf("answer %d %q, want %d %q: %s", r.status, r.code(), status, code, r.body)
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// wrong is a code of the same length that is not it.
func wrong(code string) string {
	last := code[len(code)-1]
	return code[:len(code)-1] + string('0'+(last-'0'+1)%10)
}

// lockedBuffer is where parallel requests log.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// guarded adds a route for servers alone.
func (a *api) guarded(path string) {
	a.Helper()
	o := a.http
	o.Registerer = nil // it has these metrics already
	callers, err := newCallers(o, newClients(nil, o.Logger))
	if err != nil {
		a.Fatal(err)
	}
	a.public.(*echo.Echo).GET(path, callers.secretOnly(func(echo.Context, apikey.Caller) error { return echo.ErrNotFound }))
}

// routes are those of the public listener, as "POST /api/v1/sms/send".
func (a *api) routes() []string {
	var all []string
	for _, r := range a.public.(*echo.Echo).Routes() {
		if r.Method != echo.RouteNotFound {
			all = append(all, r.Method+" "+r.Path)
		}
	}
	slices.Sort(all)
	return all
}
