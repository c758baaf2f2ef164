package sms_test

import (
	"bytes"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/keyring"
	"smsd/internal/proof"
	"smsd/internal/records"
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
	together bool // codes are stored and compared in the step that charges, and in no other
	logger   *slog.Logger
	// try bounds a gateway's call; 0: 5 s.
	try     time.Duration
	records *records.Book
	owners  records.Owners
	sign    func(proof.Verification) (secret.Text, error) // nil: no tokens
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
	inProcess := memstore.NewCounters(memstore.Options{Clock: r.stores})
	codes, counters := sms.Codes(r.codes), throttle.Store(inProcess)
	if s.codes != nil {
		codes = s.codes(codes)
	}
	if s.counters != nil {
		counters = s.counters(counters)
	}
	if s.together {
		codes, counters = &failing{Codes: codes, put: true, verify: true}, inProcess.BesideCodes(r.codes)
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
		Gateway: must(gateway.NewRouter(gateway.RouterOptions{Gateways: gateways, TryTimeout: s.try})),
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
