// Package mock is the gateway for testers: it keeps messages in an inbox, and misbehaves on request.
package mock

import (
	"context"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// Gateway is a [gateway.Driver]. Safe for concurrent use.
type Gateway struct{}

// New returns a Gateway with an empty inbox. now is its clock; nil: time.Now.
func New(now func() time.Time) *Gateway { panic("unbuilt") }

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	panic("unbuilt")
}

// Message is one message of the inbox.
type Message struct {
	ID        string
	SMSID     string
	Phone     phone.Number
	Scene     string
	Text      secret.Text
	Code      secret.Text
	Segments  int
	Encoding  string // "GSM-7" or "UCS-2"
	CreatedAt time.Time
}

// Filter chooses messages; what is zero chooses all.
type Filter struct {
	Phone phone.Number
	SMSID string
	Scene string
	Since time.Time // later than
	Limit int       // 0: all
}

// Messages returns the matching messages, newest first.
func (g *Gateway) Messages(f Filter) []Message { panic("unbuilt") }

// Wait returns the first message that matches, waiting for it until ctx ends; then false.
func (g *Gateway) Wait(ctx context.Context, f Filter) (Message, bool) { panic("unbuilt") }

// Clear empties the inbox.
func (g *Gateway) Clear() { panic("unbuilt") }

// Fault is a way to misbehave.
type Fault struct {
	Kind  string       // of [FaultKinds]
	Phone phone.Number // zero: any
	Times int          // 0: until cleared
	Delay time.Duration
}

// SetFault takes the place of the fault for the same phone.
func (g *Gateway) SetFault(f Fault) error { panic("unbuilt") }

// ClearFaults removes them all.
func (g *Gateway) ClearFaults() { panic("unbuilt") }
