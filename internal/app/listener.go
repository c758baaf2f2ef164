package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
)

// listener is a server and where it listens.
type listener struct {
	name   string // for the log
	server *http.Server
	socket net.Listener
}

func (l *listener) listen(address string) (err error) {
	l.socket, err = net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	return nil
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
