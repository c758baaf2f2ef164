package carrier

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// MaxAnswer is how much of an answer is read, in bytes. What carriers say of one message has some hundred.
	MaxAnswer = 64 << 10
	// maxHeader bounds the header of an answer.
	maxHeader = 64 << 10
	// maxCall bounds a call whose context has no deadline. The router's always has one, 8 s at the most.
	maxCall = 10 * time.Second
	// maxDial and maxHandshake bound what goes on in the background when the call that wanted it has ended.
	maxDial, maxHandshake = 5 * time.Second, 5 * time.Second
	// idle is how long a connection waits for the next call. A request on a connection that the other side is just
	// closing is ambiguous, so it is less than the shortest time after which a server in wide use closes: 2 s
	// (gunicorn, setting keepalive), 5 s (Node.js, server.keepAliveTimeout; uvicorn, --timeout-keep-alive).
	idle = 1500 * time.Millisecond
	// maxIdle bounds the connections that wait: what a gateway with 2,000 messages a second, each 50 ms long, uses at once.
	maxIdle = 100
)

// Options are what [New] needs. The zero value is for a carrier's public API.
type Options struct {
	// Networks says which addresses may be dialled; 0: any.
	Networks Networks
	// TLS is for tests with certificates of their own; nil: the system's.
	TLS *tls.Config
}

// Client makes calls to one carrier. Safe for concurrent use; only [New] makes one that works. There is nothing to close:
// a connection without a call ends by itself after 1.5 s.
type Client struct{ http *http.Client }

// New returns a Client.
func New(o Options) *Client {
	return &Client{&http.Client{
		Transport:     newTransport(o),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func newTransport(o Options) *http.Transport {
	dialer := &net.Dialer{Timeout: maxDial, Control: o.Networks.control()}
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        o.TLS,
		TLSHandshakeTimeout:    maxHandshake,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle,
		IdleConnTimeout:        idle,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // MaxAnswer is about what was sent
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	if o.Networks == AnyNetwork {
		t.Proxy = http.ProxyFromEnvironment
		t.OnProxyConnectResponse = connected
	}
	return t
}

// connected tells a proxy that refuses to connect in words of our own.
func connected(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return errProxy
	}
	return nil
}
