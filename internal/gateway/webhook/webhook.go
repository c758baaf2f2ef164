package webhook

import (
	"context"
	"net/http"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// Config is what [Open] needs.
type Config struct {
	// URL is whom to call: https, or http where AllowPrivate is set, with no user and no fragment. Required. It counts as a
	// secret, since receivers like to have one in it.
	URL secret.Text
	// Secrets sign what is posted: each is whsec_ and 24 to 64 bytes in base64. 1 to 4, the newest first; with several,
	// a message bears the signature of each, so that a receiver can change from one to the next. Required.
	Secrets []secret.Text
	// AllowPrivate lets URL lead to loopback, to private and to link-local addresses. Over http nothing else is
	// reached then: codes do not cross the internet in clear.
	AllowPrivate bool
	// Now is the clock; nil: the system's.
	Now func() time.Time
}

// Gateway is a [gateway.Driver]. Safe for concurrent use; only [Open] makes one that works.
type Gateway struct {
	url    secret.Text
	keys   []key
	client *carrier.Client
	now    func() time.Time
}

var _ gateway.Driver = (*Gateway)(nil)

// Open returns a Gateway, or every fault of c at once, as [carrier.Faults]. It does not touch the network.
func Open(c Config) (*Gateway, error) {
	faults := carrier.Faults{}
	networks, err := judge(c.URL.Reveal(), c.AllowPrivate)
	if err != nil {
		faults["url"] = err.Error()
	}
	keys, err := readKeys(c.Secrets)
	if err != nil {
		faults["secret"] = err.Error()
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	g := &Gateway{c.URL, keys, carrier.New(carrier.Options{Networks: networks}), c.Now}
	if g.now == nil {
		g.now = time.Now
	}
	return g, nil
}

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	at := g.now()
	body, err := encode(m, at)
	if err != nil {
		return gateway.Accepted{}, err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	sign(header, g.keys, m.ID, at, body)
	answer, err := g.client.Do(ctx, carrier.Request{URL: g.url.Reveal(), Header: header, Body: body})
	if err != nil {
		return gateway.Accepted{}, err
	}
	return outcome(answer, g.now())
}
