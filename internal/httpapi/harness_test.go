package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/apikey"
	"smsd/internal/apikey/keytest"
	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/idempotency"
	"smsd/internal/policy"
	"smsd/internal/records"
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
