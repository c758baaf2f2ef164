package app

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/config"
)

// Whoever holds every connection that there may be keeps new ones waiting, and nothing else: they are answered as soon as one ends.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	const most = 3
	s := begin(t, "", func(c *config.Config) { c.HTTP.MaxConnections = most })
	until(t, "no connection of the start's", func() bool {
		s.http.CloseIdleConnections()
		return strings.Contains(s.metrics(), `smsd_http_connections{listener="public"} 0`)
	})
	var held []net.Conn
	for range most {
		held = append(held, s.heldBy(somebody))
	}
	until(t, "the log says so", func() bool { return strings.Contains(s.log.String(), "raise http.max_connections") })
	late := s.dial()
	if _, err := late.Write([]byte("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	answer := bufio.NewReader(late)
	_ = late.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if _, err := answer.Peek(1); err == nil {
		t.Error("one connection more is answered")
	}
	for _, want := range []string{`smsd_http_connections{listener="public"} 3`, `smsd_http_connections_limit{listener="public"} 3`} {
		if !strings.Contains(s.metrics(), want) {
			t.Errorf("no %s", want)
		}
	}
	_ = held[0].Close()
	_ = late.SetReadDeadline(time.Now().Add(patience))
	if got, err := http.ReadResponse(answer, nil); err != nil || got.StatusCode != http.StatusOK {
		t.Errorf("after one has ended: %v, %v", got, err)
	}
}

// dial connects to the public API, and says nothing.
func (s *service) dial() net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.app.PublicURL(), "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

// A limit on open files leaves some to the rest, however few there are.
func TestClientsLeaveFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ files, want int }{{1 << 20, 30_000}, {20_000, 20_000 - keptFiles}, {256, 128}, {1, 1}} {
		if got := clientsAmong(c.files, 30_000); got != c.want {
			t.Errorf("of %d files: %d, want %d", c.files, got, c.want)
		}
	}
}

// An instance all of whose connections are taken, while another one waits, stops as any other.
func TestAFullInstanceStops(t *testing.T) {
	t.Parallel()
	s := begin(t, "", func(c *config.Config) { c.HTTP.MaxConnections = 1 })
	s.http.CloseIdleConnections()
	held := s.dial()
	if _, err := held.Write([]byte("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if got, err := http.ReadResponse(bufio.NewReader(held), nil); err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", got, err)
	}
	s.dial()
	if err := s.app.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
