package httpapi

import (
	"bytes"
	"cmp"
	"log/slog"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/idempotency"
	"smsd/internal/keyring"
	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

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
	keys, err := sms.NewKeyring(a.root())
	if err != nil {
		a.Fatal(err)
	}
	service, err := sms.New(sms.Options{
		Policy: s.http.Policy, Limiter: limiter, Local: local, Codes: codes, Gateway: router, Keys: keys, Sign: s.sign(), Records: s.records,
		Logger: logger, Registerer: a.registry, StoreBudget: time.Minute, // the race detector and two cores
		Now: a.clock.Now, // a gateway takes no time, however busy the machine is: a code's end counts from acceptance
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
	l, err := idempotency.New(idempotency.Options{
		Store: s.entries, IndexSecret: bytes.Repeat([]byte("i"), 32), Secrets: a.root(), Now: a.clock.Now, Registerer: a.registry,
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
	consumed := &prooftest.Consumed{}
	return proof.New(proof.Options{Root: a.root(), Consumed: consumed, Now: a.clock.Now, Registerer: a.registry})
}

// root are the secrets in rotation: one.
func (a *api) root() *keyring.Root {
	a.Helper()
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), 32)})
	if err != nil {
		a.Fatal(err)
	}
	return root
}
