// Package mock is the gateway for testers: it keeps messages in an inbox, and misbehaves on request.
//
// Nothing leaves the machine. Every message that the gateway takes is in the inbox, the newest 1,000 of
// them; [Gateway.Messages] reads them and [Gateway.Wait] waits for one. How the gateway misbehaves is one
// row of the table in kind.go for each kind of fault; [Gateway.SetFault] asks for one, and the numbers
// +1 202 555 0100 to 0159 bring one along by themselves.
package mock

import (
	"context"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/pause"
)

var _ gateway.Driver = (*Gateway)(nil)

// Gateway is a [gateway.Driver]. Safe for concurrent use. Only [New] and [NewWith] make one that works.
type Gateway struct {
	name   string
	inbox  *inbox
	faults faults
	sleep  func(context.Context, time.Duration) error
}

// Options are what [NewWith] takes; the zero Options are those of New(nil).
type Options struct {
	// Name is what messages say their gateway is; "": mock.
	Name string
	// Now is the clock of the inbox; nil: time.Now.
	Now func() time.Time
	// Sleep waits for d, or until ctx ends, whose error it then returns; nil: on a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// New returns a Gateway with an empty inbox. now is its clock; nil: time.Now.
func New(now func() time.Time) *Gateway { return NewWith(Options{Now: now}) }

// NewWith returns a Gateway with an empty inbox.
func NewWith(o Options) *Gateway {
	if o.Name == "" {
		o.Name = "mock"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Gateway{name: o.Name, inbox: newInbox(o.Now), sleep: o.Sleep}
}

// Send implements [gateway.Driver]: it takes m, unless a fault has it otherwise.
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	if ctx.Err() != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: ctx.Err()}
	}
	fault := g.faults.next(m.Phone)
	k := kindOf(fault.Kind)
	var taken gateway.Accepted
	if k.takes {
		taken.ProviderID = g.inbox.add(g.message(m))
	}
	if err := g.sleep(ctx, fault.Delay); err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: err}
	}
	if k.reason != "" {
		return gateway.Accepted{}, k.failure()
	}
	return taken, nil
}

// sleep waits on a timer.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 || pause.For(ctx, d) {
		return nil
	}
	return ctx.Err()
}
