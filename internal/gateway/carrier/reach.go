package carrier

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"

	"smsd/internal/gateway"
)

// Reach connects to the host of a URL, over TLS where that is https, and hangs up: nothing is asked. Its errors are those of
// [Client.Do] for a call that never left. It goes through no proxy, so it is for a client whose Networks are set.
func (c *Client) Reach(ctx context.Context, to string) error {
	ctx, cancel := context.WithTimeout(ctx, maxCall)
	defer cancel()
	u, err := url.Parse(to)
	if err != nil || u.Hostname() == "" {
		return &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("the URL is none")}
	}
	t, ok := c.http.Transport.(*http.Transport)
	if !ok { // New makes no other
		return &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("no transport")}
	}
	conn, err := t.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), portOf(u)))
	if err != nil {
		return notSent(err)
	}
	defer conn.Close()
	if u.Scheme != "https" {
		return nil
	}
	if err := shake(ctx, conn, t.TLSClientConfig, u.Hostname()); err != nil {
		return notSent(err)
	}
	return nil
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// shake sees that the other side is who it says it is.
func shake(ctx context.Context, conn net.Conn, c *tls.Config, host string) error {
	if c = c.Clone(); c == nil {
		c = &tls.Config{}
	}
	c.ServerName = host
	ctx, cancel := context.WithTimeout(ctx, maxHandshake)
	defer cancel()
	return tls.Client(conn, c).HandshakeContext(ctx)
}
