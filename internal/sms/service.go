package sms

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"smsd/internal/address"
	"smsd/internal/deadline"
	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/secret"
	"smsd/internal/throttle"
)

// DefaultApp is the app of requests without a key.
const DefaultApp = "default"

// defaultStoreBudget keeps an answer below half a second when the store does not answer.
const defaultStoreBudget = 400 * time.Millisecond

// Service sends and verifies codes. Safe for concurrent use. Only [New] makes one that works.
type Service struct {
	policy  func() *Policy
	limiter *throttle.Limiter
	local   *throttle.Local
	codes   Codes
	gateway *gateway.Router
	keys    *Keyring
	sign    func(proof.Verification) (secret.Text, error)
	budget  time.Duration
	random  io.Reader
	now     func() time.Time
	journal *journal
	metrics *metrics
	tests   *rate.Limiter  // sends to test numbers
	records *records.Book  // nil: none are kept
	owners  records.Owners // nil: nobody asks
	early   *rate.Limiter  // receipts of which nobody knows yet whose they are
	current atomic.Pointer[ground]
}

// Options are what [New] needs. Every field without "nil:" or "0:" is required.
type Options struct {
	// Policy returns the one in force; it is called once a request.
	Policy  func() *Policy
	Limiter *throttle.Limiter
	Local   *throttle.Local
	Codes   Codes
	Gateway *gateway.Router
	Keys    *Keyring
	Logger  *slog.Logger
	// Records keeps what is accepted, and every attempt; nil: nothing is kept.
	Records *records.Book
	// Owners tells whose messages are that receipts name by the carrier's id alone; nil: such receipts are nobody's.
	Owners records.Owners
	// Sign makes the token of a right code, as [proof.Tokens.Sign]; nil: verifies give none.
	Sign func(proof.Verification) (secret.Text, error)
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
	// StoreBudget bounds all store work of one request before its answer is known; 0: 400 ms.
	StoreBudget time.Duration
	// Random is where codes are drawn from, safe for concurrent use; nil: crypto/rand.
	Random io.Reader
	// Now is the clock for dates of the policy and for how long a gateway took; nil: time.Now. What
	// is stored goes by the stores' own clock.
	Now func() time.Time
}

// New returns a Service, or every fault of o at once.
func New(o Options) (*Service, error) {
	if err := o.faults(); err != nil {
		return nil, err
	}
	o.setDefaults()
	metrics, err := newMetrics(o.Registerer)
	if err != nil {
		return nil, fmt.Errorf("sms: metrics: %w", err)
	}
	return &Service{
		policy: o.Policy, limiter: o.Limiter, local: o.Local, codes: o.Codes, gateway: o.Gateway, keys: o.Keys, sign: o.Sign,
		budget: o.StoreBudget, random: o.Random, now: o.Now,
		journal: newJournal(o.Logger, o.Now), metrics: metrics, tests: newTestPace(),
		records: o.Records, owners: o.Owners, early: rate.NewLimiter(earlyRate, earlyBurst),
	}, nil
}

func (o *Options) faults() error {
	var found []error
	for _, field := range []struct {
		name    string
		missing bool
	}{
		{"Policy", o.Policy == nil}, {"Limiter", o.Limiter == nil}, {"Local", o.Local == nil},
		{"Codes", o.Codes == nil}, {"Gateway", o.Gateway == nil}, {"Keys", o.Keys == nil},
		{"Logger", o.Logger == nil},
	} {
		if field.missing {
			found = append(found, fmt.Errorf("sms: option %s is missing", field.name))
		}
	}
	if o.StoreBudget < 0 {
		found = append(found, errors.New("sms: option StoreBudget is below 0"))
	}
	return errors.Join(found...)
}

func (o *Options) setDefaults() {
	if o.StoreBudget == 0 {
		o.StoreBudget = defaultStoreBudget
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// withBudget bounds the store work of a request before its answer is known. What it returns does not end with ctx.
func (s *Service) withBudget(ctx context.Context) *deadline.Context {
	return deadline.New(ctx, time.Now().Add(s.budget))
}

// withRest bounds store work that comes after budget's, on a store that may just have failed: what is left of it, and where
// that is less, a fifth of a whole one, so that the answer is out before 500 ms. A fifth alone would be too little where a
// store is slow: whoever makes it slow could then guess without being counted.
func (s *Service) withRest(ctx, budget context.Context) *deadline.Context {
	until := time.Now().Add(s.budget / 5)
	if end, bounded := budget.Deadline(); bounded && end.After(until) {
		until = end
	}
	return deadline.New(ctx, until)
}

// ResetLimits empties, for tests, the counters that app ("": DefaultApp) has of a number, of its block of numbers and of
// its country, and those of a client's network; a zero number or client is left out.
func (s *Service) ResetLimits(ctx context.Context, app string, number phone.Number, client address.Addr) error {
	ctx, cancel := context.WithTimeout(ctx, s.budget)
	defer cancel()
	return s.limiter.Reset(ctx,
		throttle.Subject{Kind: throttle.Phone, ID: number.E164()},
		throttle.Subject{Kind: throttle.Prefix, ID: number.Prefix()},
		throttle.Subject{Kind: throttle.Country, ID: number.Country()},
		throttle.Subject{Kind: throttle.IPNet, ID: client.Network()},
		throttle.Subject{Kind: throttle.App, ID: appOf(app)})
}
