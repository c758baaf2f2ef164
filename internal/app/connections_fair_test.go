package app

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"smsd/internal/address"
	"smsd/internal/config"
)

// somebody and another are two clients on loopback.
const somebody, another = "127.0.0.1", "127.0.0.2"

// bounded is an instance whose clients may hold so many connections, and one address so many of them; none is open.
func bounded(t *testing.T, most, perAddress int, trusted ...netip.Prefix) *service {
	t.Helper()
	s := begin(t, "", func(c *config.Config) {
		c.HTTP.MaxConnections, c.HTTP.MaxConnectionsPerAddress, c.HTTP.TrustedProxies = most, perAddress, trusted
	})
	s.untilOpen(0)
	return s
}

// untilOpen waits for so many connections of clients, besides those that this test's own client leaves behind.
func (s *service) untilOpen(n int) {
	s.t.Helper()
	until(s.t, fmt.Sprintf("%d connections", n), func() bool {
		s.http.CloseIdleConnections()
		return s.shows(`smsd_http_connections{listener="public"} %d`, n)
	})
}

// shows reports whether the metrics have such a line.
func (s *service) shows(format string, a ...any) bool {
	return strings.Contains(s.metrics(), "\n"+fmt.Sprintf(format, a...)+"\n")
}

// heldBy is a connection of somebody who was answered and stays. One on which nothing was ever said ends after a few seconds, and a
// machine that is busy may take longer.
func (s *service) heldBy(from string) net.Conn {
	s.t.Helper()
	c := s.dialAs(from)
	if status, err := asks(c); status != http.StatusOK {
		s.t.Fatalf("from %s: %d, %v", from, status, err)
	}
	return c
}

// dialAs connects to the public API from an address of this machine, and says nothing.
func (s *service) dialAs(from string) net.Conn {
	s.t.Helper()
	c, err := s.dialFrom(from)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *service) dialFrom(from string) (net.Conn, error) {
	s.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.Dial("tcp", strings.TrimPrefix(s.app.PublicURL(), "http://"))
	switch {
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		s.t.Skipf("this machine is not %s", from)
	case err == nil:
		s.t.Cleanup(func() { _ = c.Close() })
	}
	return c, err
}

// refusedFrom connects, and sees that the connection is closed though nothing was said: a reset may come before Dial returns.
func (s *service) refusedFrom(from string) {
	s.t.Helper()
	c, err := s.dialFrom(from)
	if err == nil {
		_ = c.SetReadDeadline(time.Now().Add(patience))
		_, err = c.Read(make([]byte, 1))
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		s.t.Fatalf("the connection is not reset: %v", err)
	}
}

// asks sends a request, and returns what its connection says.
func asks(c net.Conn) (status int, err error) {
	if _, err := c.Write([]byte("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		return 0, err
	}
	_ = c.SetReadDeadline(time.Now().Add(patience))
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// One address that holds all that it may keeps nobody else waiting: what it opens beyond that is closed.
func TestOneAddressHasItsShareOfConnections(t *testing.T) {
	t.Parallel()
	const most, share, more = 5, 2, 4
	s := bounded(t, most, share)
	for range share {
		s.heldBy(somebody)
	}
	s.untilOpen(share)
	for range more {
		s.refusedFrom(somebody)
	}
	for range share {
		s.heldBy(another)
	}
	if !s.shows(`smsd_http_connections_refused_total{listener="public"} %d`, more) || !s.shows(`smsd_http_connections{listener="public"} %d`, 2*share) {
		t.Errorf("the metrics: %s", s.metrics())
	}
	log := s.log.String()
	if n := strings.Count(log, "http.max_connections_per_address"); n != 1 || strings.Contains(log, somebody+" ") || !strings.Contains(log, "client=127.0.0.x connections=2") {
		t.Errorf("%d lines in the log:\n%s", n, log)
	}
}

// However a connection ends, its place is free again: by the client, before a word or amid one, by an answer, or by the server.
func TestAConnectionThatEndsLeavesItsPlace(t *testing.T) {
	t.Parallel()
	s := bounded(t, 10, 1)
	for name, end := range map[string]func(net.Conn){
		"without a word": func(c net.Conn) { _ = c.Close() },
		"amid a header":  func(c net.Conn) { _, _ = c.Write([]byte("GET / HT")); _ = c.Close() },
		"by a reset":     func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0); _ = c.Close() },
		"by nonsense":    func(c net.Conn) { _, _ = c.Write([]byte("SSH-2.0-x\r\n\r\n")) },
		"by the answer":  func(c net.Conn) { _, _ = c.Write([]byte("GET /livez HTTP/1.0\r\n\r\n")) },
		"amid a body": func(c net.Conn) {
			_, _ = c.Write([]byte("POST /api/v1/sms/send HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"))
			_ = c.Close()
		},
	} {
		c := s.dialAs(somebody)
		s.untilOpen(1)
		end(c)
		s.untilOpen(0)
		if !s.shows(`smsd_http_connections_refused_total{listener="public"} 0`) {
			t.Fatalf("after one that ended %s: the next is refused", name)
		}
	}
}

// Everybody comes through a trusted proxy.
func TestATrustedProxyHasNoShareOfConnections(t *testing.T) {
	t.Parallel()
	const most = 6
	s := bounded(t, most, 1, netip.MustParsePrefix(somebody+"/32"))
	for range most - 2 {
		s.heldBy(somebody)
	}
	s.untilOpen(most - 2)
	s.heldBy(another)
	s.refusedFrom(another)
}

// An IPv6 client has as many addresses of its /64 as it likes; an IPv4 address may be written in IPv6.
func TestConnectionsAreCountedAsRulesCount(t *testing.T) {
	t.Parallel()
	l := newFair(nil, 1, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}, nil)
	at := func(ip string) address.Addr {
		return l.boundPeer(peerAt{addr: &net.TCPAddr{IP: net.ParseIP(ip), Port: 5000, Zone: map[bool]string{true: "eth0"}[strings.HasPrefix(ip, "fe80")]}})
	}
	for _, same := range [][2]string{{"2001:db8::1", "2001:db8::ffff:2"}, {"::ffff:192.0.2.1", "192.0.2.1"}, {"fe80::1", "fe80::2"}} {
		if a, b := at(same[0]).Host(), at(same[1]).Host(); a == "" || a != b {
			t.Errorf("%s is %q, %s is %q", same[0], a, same[1], b)
		}
	}
	for _, free := range []string{"10.1.2.3", "::ffff:10.1.2.3", "fd00::1"} {
		if got := at(free); !got.IsZero() {
			t.Errorf("%s is bound", free)
		}
	}
	if got := l.boundPeer(peerAt{addr: &net.UnixAddr{Name: "@", Net: "unix"}}); !got.IsZero() {
		t.Error("a unix socket is bound")
	}
}

// peerAt is a connection of which nothing but the other end is asked.
type peerAt struct {
	net.Conn
	addr net.Addr
}

func (p peerAt) RemoteAddr() net.Addr { return p.addr }

// Nothing is remembered of connections that have ended, and one that is closed twice leaves once.
func TestEndedConnectionsAreForgotten(t *testing.T) {
	t.Parallel()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	l := newFair(socket, 3, nil, func(address.Addr) {})
	open := func() net.Conn {
		client, err := net.Dial("tcp", socket.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, second := open(), open()
	_ = first.Close()
	_ = first.Close()
	if l.held[somebody] != 1 {
		t.Errorf("one is open, and %v", l.held)
	}
	_ = second.Close()
	if len(l.held) != 0 {
		t.Errorf("none is open, and %v", l.held)
	}
}

// The default never bothers a browser or a house of them, and leaves some to others.
func TestShareOfOneAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, most, want int }{
		{0, config.DefaultMaxConnections, 2048}, {0, 4096, 256}, {0, 1000, 128}, {0, 200, 100}, {0, 3, 2}, {0, 1, 1},
		{300, 1000, 300}, {300, 200, 200},
	} {
		if got := perAddressOf(config.HTTP{MaxConnectionsPerAddress: c.set}, c.most); got != c.want {
			t.Errorf("%d of %d: %d, want %d", c.set, c.most, got, c.want)
		}
	}
}
