package proof_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
)

// start is in the midst of a period.
var start = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

const (
	smsID = "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69"
	alice = "+8613800138000"
)

func login() proof.Verification {
	return proof.Verification{SMSID: smsID, App: "default", Scene: "login", Phone: phone.MustParse(alice), Nonce: "n-0S6"}
}

var anything = proof.Want{App: "default"}

// clock is what a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: start} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *clock) Advance(d time.Duration) { c.Set(c.Now().Add(d)) }

// rig is an instance's tokens, by a clock that a test moves.
type rig struct {
	*proof.Tokens
	t        testing.TB
	clock    *clock
	registry *prometheus.Registry
}

func secretOf(b byte) []byte { return bytes.Repeat([]byte{b}, keyring.MinSecret) }

// newRig has secrets of these bytes, newest first; what is zero of o is set.
func newRig(t testing.TB, o proof.Options, secrets ...byte) *rig {
	t.Helper()
	r := &rig{t: t, clock: newClock(), registry: prometheus.NewRegistry()}
	var all [][]byte
	for _, b := range secrets {
		all = append(all, secretOf(b))
	}
	var err error
	if o.Root, err = keyring.New(all); err != nil {
		t.Fatal(err)
	}
	if o.Consumed == nil {
		o.Consumed = &prooftest.Consumed{}
	}
	o.Now, o.Registerer = r.clock.Now, r.registry
	if r.Tokens, err = proof.New(o); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) sign(v proof.Verification) string {
	r.t.Helper()
	token, err := r.Sign(v)
	if err != nil {
		r.t.Fatal(err)
	}
	return token.Reveal()
}

func (r *rig) jwks() []byte {
	r.t.Helper()
	set, err := r.JWKS()
	if err != nil {
		r.t.Fatal(err)
	}
	return set
}

// kids are those of the published set.
func (r *rig) kids() []string {
	r.t.Helper()
	var set struct{ Keys []struct{ Kid string } }
	if err := json.Unmarshal(r.jwks(), &set); err != nil {
		r.t.Fatal(err)
	}
	var kids []string
	for _, k := range set.Keys {
		kids = append(kids, k.Kid)
	}
	return kids
}

func (r *rig) consume(token string) error {
	_, err := r.Consume(r.t.Context(), token, anything)
	return err
}

// part is one of a token's, decoded.
func part(t testing.TB, token string, n int) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[n])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func kidOf(t testing.TB, token string) string {
	t.Helper()
	var header struct{ Kid string }
	if err := json.Unmarshal([]byte(part(t, token, 0)), &header); err != nil {
		t.Fatal(err)
	}
	return header.Kid
}

// watched is a real store that tells what it was asked, and fails when it is told to.
type watched struct {
	proof.Consumed
	fails error

	mu    sync.Mutex
	calls int
	until time.Time
	bound bool // the call had a deadline
}

func (w *watched) Consume(ctx context.Context, jti, app string, until time.Time) error {
	w.mu.Lock()
	w.calls++
	w.until = until
	_, w.bound = ctx.Deadline()
	w.mu.Unlock()
	if w.fails != nil {
		return w.fails
	}
	return w.Consumed.Consume(ctx, jti, app, until)
}

func (w *watched) Purge(ctx context.Context, now time.Time, limit int) (int64, error) {
	if w.fails != nil {
		return 0, w.fails
	}
	return w.Consumed.Purge(ctx, now, limit)
}
