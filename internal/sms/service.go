package sms

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/address"
	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/throttle"
)

// DefaultApp is the app of requests without a key.
const DefaultApp = "default"

// Service sends and verifies codes. Safe for concurrent use.
type Service struct{}

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
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
	// StoreBudget bounds all store work of one request before its answer is known; 0: 400 ms.
	StoreBudget time.Duration
	// Random is where codes are drawn from; nil: crypto/rand.
	Random io.Reader
	// NewID makes sms_ids; nil: random UUIDs.
	NewID func() string
}

// New returns a Service.
func New(o Options) (*Service, error) { panic("unbuilt") }

// SendRequest asks for a code.
type SendRequest struct {
	App      string // "": DefaultApp
	Phone    string // as written by a person
	Scene    string
	Region   string // ISO 3166, for a national number; may be empty
	Locale   string // BCP 47; may be empty
	DeviceID string // may be empty
	Client   address.Addr
}

// Delivery is what is known of a message after a send.
type Delivery string

// The two deliveries of a send that did not fail.
const (
	DeliveryAccepted Delivery = "accepted"
	DeliveryUnknown  Delivery = "unknown" // the gateway may or may not have taken it
)

// Sent is a send's or a resend's answer.
type Sent struct {
	SMSID      string
	Scene      string
	Phone      phone.Number
	CodeLength int
	Attempts   int           // left
	ExpiresIn  time.Duration // whole seconds
	ExpiresAt  time.Time     // UTC
	ResendIn   time.Duration // until the limits would let another message pass; whole seconds, rounded up
	Delivery   Delivery
	// Usages are the limits on phone and scene, for those who may see them.
	Usages []throttle.Usage
}

// Send validates, throttles, stores a code and hands the message on.
func (s *Service) Send(ctx context.Context, r SendRequest) (Sent, error) { panic("unbuilt") }

// ResendRequest asks for the message again.
type ResendRequest struct {
	App      string
	SMSID    string
	DeviceID string
	Client   address.Addr
}

// Resend sends the same code again, or a fresh one where the scene rotates.
func (s *Service) Resend(ctx context.Context, r ResendRequest) (Sent, error) { panic("unbuilt") }

// VerifyRequest submits a code.
type VerifyRequest struct {
	App    string
	SMSID  string
	Code   string // as typed by a person
	Scene  string // "": any
	Phone  string // as written by a person; "": any
	Client address.Addr
}

// Verified is the answer to a right code.
type Verified struct {
	SMSID      string
	Scene      string
	Phone      phone.Number
	VerifiedAt time.Time // UTC, the store's clock
}

// Verify compares, counts and consumes.
func (s *Service) Verify(ctx context.Context, r VerifyRequest) (Verified, error) { panic("unbuilt") }

// ResetLimits empties the counters of a number, for tests.
func (s *Service) ResetLimits(ctx context.Context, number phone.Number) error { panic("unbuilt") }
