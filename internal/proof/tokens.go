package proof

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/keyring"
)

// How long a token may live, and does. A backend uses it at once; what is longer is only longer to be stolen.
const (
	MinTTL     = 30 * time.Second
	MaxTTL     = time.Hour
	DefaultTTL = 5 * time.Minute
)

// DefaultIssuer is the iss of tokens where none is set, and MaxIssuer bounds one, in bytes.
const (
	DefaultIssuer = "smsd"
	MaxIssuer     = 128
)

// purpose is what the seeds of keys are derived for. Another one is another set of keys.
const purpose = "smsd proof v1: token keys"

// Options are what [New] needs.
type Options struct {
	// Root are the secrets in rotation; required.
	Root *keyring.Root
	// Consumed remembers which tokens were used; required.
	Consumed Consumed
	// Issuer is the iss of every token, at most MaxIssuer bytes; "": DefaultIssuer.
	Issuer string
	// TTL is how long a token lives, MinTTL to MaxTTL; 0: DefaultTTL.
	TTL time.Duration
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
}

// Tokens signs, publishes and consumes. Safe for concurrent use. Only [New] makes one that works. It prints without its
// keys.
type Tokens struct {
	seeds    [][]byte // of the secrets, newest first
	consumed Consumed
	issuer   string
	ttl      time.Duration
	now      func() time.Time
	metrics  *metrics
	current  atomic.Pointer[keyset]
}

// New checks the options and derives the keys of today.
func New(o Options) (*Tokens, error) {
	o.setDefaults()
	if err := o.faults(); err != nil {
		return nil, err
	}
	seeds, err := o.Root.Derive(purpose)
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	metrics, err := newMetrics(o.Registerer)
	if err != nil {
		return nil, fmt.Errorf("proof: metrics: %w", err)
	}
	t := &Tokens{seeds: seeds, consumed: o.Consumed, issuer: o.Issuer, ttl: o.TTL, now: o.Now, metrics: metrics}
	_, err = t.keys(t.now())
	return t, err
}

func (o *Options) setDefaults() {
	if o.Issuer == "" {
		o.Issuer = DefaultIssuer
	}
	if o.TTL == 0 {
		o.TTL = DefaultTTL
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

func (o *Options) faults() error {
	var found []error
	if o.Root == nil || o.Consumed == nil {
		found = append(found, errors.New("proof: options Root and Consumed are required"))
	}
	if len(o.Issuer) > MaxIssuer {
		found = append(found, fmt.Errorf("proof: issuer of %d bytes, must be at most %d", len(o.Issuer), MaxIssuer))
	}
	if o.TTL < MinTTL || o.TTL > MaxTTL {
		found = append(found, fmt.Errorf("proof: tokens that live %s, must be %s to %s", o.TTL, MinTTL, MaxTTL))
	}
	return errors.Join(found...)
}

// keys returns those at now. Two that derive them at once derive the same.
func (t *Tokens) keys(now time.Time) (*keyset, error) {
	if s := t.current.Load(); s != nil && s.holds(now) {
		return s, nil
	}
	s, err := newKeyset(t.seeds, now)
	if err != nil {
		return nil, err
	}
	t.current.Store(s)
	return s, nil
}

// JWKS returns the public keys as a JWK Set (RFC 7517, section 5), which may be kept for [MaxAge]. It is not to be changed.
func (t *Tokens) JWKS() ([]byte, error) {
	s, err := t.keys(t.now())
	if err != nil {
		return nil, err
	}
	return s.published, nil
}

// Format writes that it is one, for every verb.
func (t *Tokens) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "tokens") }
