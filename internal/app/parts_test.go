package app

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/httpapi"
	"smsd/internal/keyring"
	"smsd/internal/policy"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// parts are what an instance is put together from where a test needs a part that the settings can't name.
type parts struct {
	counters throttle.Store
	codes    sms.Codes
	policy   string
	now      func() time.Time // this instance's clock; nil: time.Now
	inbox    *mock.Gateway    // nil: one of its own
	driver   gateway.Driver   // in front of the inbox; nil: none
}

// assemble serves such an instance, on HTTP as ever.
func assemble(t *testing.T, p parts) caller {
	t.Helper()
	rules, _, err := policy.Parse([]byte(p.policy))
	ok(t, err)
	if p.inbox == nil {
		p.inbox = mock.New(nil)
	}
	if p.driver == nil {
		p.driver = p.inbox
	}
	limiter, err := throttle.New(throttle.Options{Store: p.counters, IndexSecret: bytes.Repeat([]byte("i"), 32)})
	ok(t, err)
	local, err := throttle.NewLocal(throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1e6, IPBurst: 1e6})
	ok(t, err)
	router, err := gateway.NewRouter(gateway.RouterOptions{Gateways: []gateway.Gateway{{Name: "mock", Driver: p.driver}}, TryTimeout: patience})
	ok(t, err)
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), 32)})
	ok(t, err)
	keys, err := sms.NewKeyring(root)
	ok(t, err)
	current := func() *sms.Policy { return rules }
	service, err := sms.New(sms.Options{
		Policy: current, Limiter: limiter, Local: local, Codes: p.codes, Gateway: router, Keys: keys,
		Logger: slog.New(slog.DiscardHandler), StoreBudget: patience, Now: p.now,
	})
	ok(t, err)
	options := httpapi.Options{
		Service: service, Policy: current, Mock: p.inbox, Dev: true, Logger: slog.New(slog.DiscardHandler),
		Health:         func(context.Context) httpapi.Health { return httpapi.Health{Ready: true} },
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
	public, err := httpapi.NewPublic(options)
	ok(t, err)
	admin, err := httpapi.NewAdmin(options)
	ok(t, err)
	api, operators := httptest.NewServer(public), httptest.NewServer(admin)
	t.Cleanup(api.Close)
	t.Cleanup(operators.Close)
	return newCaller(t, api.URL, operators.URL)
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
