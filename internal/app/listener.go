package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/time/rate"

	"smsd/internal/address"
)

// listener is a server and where it listens.
type listener struct {
	name  string // for the log
	label string // for metrics
	most  int    // connections at one time
	// perAddress is how many of them one client address may hold that is not in trusted; 0: all.
	perAddress int
	trusted    []netip.Prefix
	more       string // for the log: what to do about more of them
	server     *http.Server
	socket     net.Listener

	open        atomic.Int64 // connections
	refused     atomic.Int64 // that were closed, since their address had its share
	logger      *slog.Logger
	tell        rate.Sometimes
	tellRefused rate.Sometimes
}

func (l *listener) listen(address string) (err error) {
	socket, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	if l.perAddress > 0 {
		socket = newFair(socket, l.perAddress, l.trusted, l.refuse)
	}
	l.socket = netutil.LimitListener(socket, l.most)
	return nil
}

// answer has server answer what comes, and count the connections.
func (l *listener) answer(server *http.Server, logger *slog.Logger) {
	l.server, l.logger = server, logger
	l.tell, l.tellRefused = rate.Sometimes{Interval: time.Minute}, rate.Sometimes{Interval: time.Minute}
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			if int(l.open.Add(1)) == l.most {
				l.tell.Do(l.tellFull)
			}
		case http.StateClosed, http.StateHijacked:
			l.open.Add(-1)
		}
	}
}

func (l *listener) tellFull() {
	l.logger.Warn(l.name+": there are as many connections as may be, and new ones wait until others end: "+l.more, slog.Int("connections", l.most))
}

// refuse counts a connection that was closed, and tells of one now and then.
func (l *listener) refuse(client address.Addr) {
	l.refused.Add(1)
	l.tellRefused.Do(func() {
		l.logger.Warn(l.name+": an address has as many connections as one may, and more are closed: if it is a proxy, list it in http.trusted_proxies; else see http.max_connections_per_address",
			slog.Any("client", client), slog.Int("connections", l.perAddress))
	})
}

// serve returns nil once the server was shut down.
func (l *listener) serve(context.Context) error {
	if err := l.server.Serve(l.socket); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	return nil
}

// url names a host that this machine reaches it by.
func (l *listener) url() string {
	address, ok := l.socket.Addr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	host := address.IP.String()
	if address.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return fmt.Sprintf("http://%s", net.JoinHostPort(host, fmt.Sprint(address.Port)))
}

// shut stops listening and waits for what has arrived; when ctx ends first, it cuts the connections, and
// ctx's cause is the error.
func (l *listener) shut(ctx context.Context) error {
	if l.server == nil {
		return l.close()
	}
	err := l.server.Shutdown(ctx)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return errors.Join(err, l.server.Close())
}

// close gives back a socket that was never served.
func (l *listener) close() error {
	if l.socket == nil {
		return nil
	}
	return l.socket.Close()
}
