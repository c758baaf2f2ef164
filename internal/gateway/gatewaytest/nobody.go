package gatewaytest

import (
	"net"
	"testing"
)

// Nobody returns the URL of a port at which nobody listens before the test's end: a connection has it for its own. The port of a
// server that was closed may be given to the next one at any moment.
func Nobody(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return "http://" + c.LocalAddr().String()
}
