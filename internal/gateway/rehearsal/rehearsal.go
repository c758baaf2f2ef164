package rehearsal

import (
	"context"
	"fmt"
	"sync"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
)

// maxSends bounds the messages on their way at the same time, and so the listeners. Who comes later waits.
const maxSends = 128

// Gateway is a [gateway.Driver]. Safe for concurrent use; only [New] makes one that works.
type Gateway struct {
	vendor func() (vendor, error) // made by the first who asks: an RSA key takes its time
	inbox  *mock.Gateway
	slots  chan struct{}
}

var _ gateway.Driver = (*Gateway)(nil)

// New returns a Gateway to the fake of vendor, one of [Vendors]. name is what messages in the inbox say their gateway is.
func New(name, vendor string) (*Gateway, error) {
	made, known := vendors[vendor]
	if !known {
		return nil, fmt.Errorf("rehearsal: vendor %q: must be one of %q", vendor, Vendors())
	}
	return &Gateway{sync.OnceValues(made), mock.NewWith(mock.Options{Name: name}), make(chan struct{}, maxSends)}, nil
}

// Inbox returns where the messages land that the vendor takes, and whose faults it has.
func (g *Gateway) Inbox() *mock.Gateway { return g.inbox }

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	v, err := g.vendor()
	if err != nil {
		return gateway.Accepted{}, notSent(err)
	}
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	case <-ctx.Done():
		return gateway.Accepted{}, notSent(ctx.Err())
	}
	return perform(ctx, v, g.inbox, m)
}

// perform has the vendor's driver send m to a fake that is there for this message alone.
func perform(ctx context.Context, v vendor, inbox *mock.Gateway, m gateway.Message) (gateway.Accepted, error) {
	s := &stage{vendor: v, play: func(ctx context.Context, later call) string { return inbox.Play(ctx, m, v.reporter(m, later)) }}
	url, end, err := serve(s)
	if err != nil {
		return gateway.Accepted{}, notSent(err)
	}
	defer end()
	driver, err := v.open(url)
	if err != nil {
		return gateway.Accepted{}, notSent(err)
	}
	return driver.Send(ctx, m)
}

func notSent(err error) error {
	return &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: err}
}
