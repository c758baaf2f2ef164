// Package mock is the gateway for testers: it keeps messages in an inbox, and misbehaves on request.
//
// Nothing leaves the machine. Every message that the gateway takes is in the inbox, the newest 1,000 of
// them; [Gateway.Messages] reads them, [Gateway.Wait] waits for one, and [Gateway.Report] says what became of one. How the gateway misbehaves is one
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
	faults *faults
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
	return &Gateway{name: o.Name, inbox: newInbox(o.Now), faults: &faults{}, sleep: o.Sleep}
}

// Join has g share the inbox and the faults of other: what either takes is in both, under its own gateway's name. To be called before
// the first message.
func (g *Gateway) Join(other *Gateway) { g.inbox, g.faults = other.inbox, other.faults }

// Send implements [gateway.Driver]: it takes m, unless a fault has it otherwise.
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	if ctx.Err() != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: ctx.Err()}
	}
	k, taken, err := g.meet(ctx, m, OwnReporter(m.ID))
	if err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: err}
	}
	if k.reason != "" {
		return gateway.Accepted{}, k.failure()
	}
	return taken, nil
}

// Play is for who plays a carrier: it takes m, unless a fault has it otherwise, waits as long as that fault says, and returns its kind, one
// of [FaultKinds]; "": there is none. report is what [Gateway.Report] asks about m later.
func (g *Gateway) Play(ctx context.Context, m gateway.Message, report Reporter) (fault string) {
	k, _, _ := g.meet(ctx, m, report) // where ctx has ended nobody listens any more
	return k.name
}

// meet takes m in, if it is taken, and waits. The error is ctx's.
func (g *Gateway) meet(ctx context.Context, m gateway.Message, report Reporter) (kind, gateway.Accepted, error) {
	fault := g.faults.next(m.Phone)
	k := kindOf(fault.Kind)
	var taken gateway.Accepted
	if k.takes {
		taken.ProviderID = g.inbox.add(g.message(m), report)
	}
	return k, taken, g.sleep(ctx, fault.Delay)
}

// sleep waits on a timer.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 || pause.For(ctx, d) {
		return nil
	}
	return ctx.Err()
}
