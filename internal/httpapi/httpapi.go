package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/apikey"
	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/idempotency"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Options are what [NewPublic] and [NewAdmin] need.
type Options struct {
	Service *sms.Service
	// Idempotency executes requests with an Idempotency-Key once, behind the Service's Local limiters. Nil: such requests
	// are answered 503.
	Idempotency *idempotency.Ledger
	Local       *throttle.Local
	// Tokens publishes keys and consumes tokens; nil: there are none.
	Tokens *proof.Tokens
	// Policy returns the one in force, for the try-it page's list of scenes.
	Policy func() *sms.Policy
	// Health returns what /readyz answers, before ctx ends.
	Health func(ctx context.Context) Health
	// Receipts returns what reads the receipts of a gateway, as [gateway.Router.ReceiptReader]; nil: none are taken.
	Receipts func(gateway string) (gateway.ReceiptReader, bool)
	// PublicURL is where carriers reach the public API, without a slash at its end; "": where their requests say that it is.
	PublicURL string
	// Desk reads records; nil: there are none.
	Desk *records.Desk
	// Mock serves the inbox; nil: the mock gateway is not in use.
	Mock *mock.Gateway
	// Advance moves the stores' clock; nil: it can't be moved.
	Advance func(d time.Duration)
	// Dev is the profile dev: no key is required; the try-it page, RateLimit fields, mock/limits, any loopback origin.
	Dev            bool
	TrustedProxies []netip.Prefix
	CORSOrigins    []string
	// Keys knows the API keys; nil: there are none. Without Dev a key is required, so that nobody is served then.
	Keys *apikey.Directory
	// AdminToken guards the admin listener; zero: none is asked.
	AdminToken secret.Text
	// AdminHosts are the host names, without port, by which the admin listener is addressed, beside loopback.
	AdminHosts []string
	// InboxURL is where the try-it page sends people to read the message; may be empty.
	InboxURL string
	// Logger; nil: nothing is logged.
	Logger *slog.Logger
	// Registerer and Gatherer are one registry's two sides; either may be nil.
	Registerer prometheus.Registerer
	Gatherer   prometheus.Gatherer

	now func() time.Time // what limits requests that identify nobody, and the age of receipts, go by; nil: time.Now
}

// Health is the state of the instance.
type Health struct {
	Ready bool
	// Degraded says that a store which was reached once is out of reach now.
	Degraded bool
	// Checks says for each part whether it is "ok", and if not, why; shown on admin only.
	Checks map[string]string
}

// NewPublic returns the public API. Service, Policy and Health are required.
func NewPublic(o Options) (http.Handler, error) {
	e, err := newPublic(o)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// NewAdmin returns the admin API. Service, Policy and Health are required. Under a server of [NewServer],
// long polls end when it is shut down.
func NewAdmin(o Options) (http.Handler, error) {
	h, err := newAdmin(o)
	if err != nil {
		return nil, err
	}
	return h, nil
}
