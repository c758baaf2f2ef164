package testserver

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"testing"
)

const loopback = "127.0.0.1"

// Ports are taken from below the range from which systems give them to whoever connects (Linux: 32768 and
// up), so that none is taken by a passer-by while its server is down.
const (
	firstPort = 15_000
	lastPort  = 32_000
)

// freePort returns a port of the loopback address that nobody listens on. Only servers that need TCP, because
// others are to find them by their address, have one. It is the test's until its end, its server up or down.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if claim := claimed(port); claim != nil {
			t.Cleanup(func() { _ = claim.Close() })
			return port
		}
	}
	t.Fatal("no free port on the loopback address")
	return 0
}

// claimed makes a port this process's among those that take ports here, by its twin of UDP, which no server uses: else another test
// could be given it while its server is down for a moment. Nil: it is another's, or somebody listens on it.
func claimed(port int) net.PacketConn {
	address := net.JoinHostPort(loopback, strconv.Itoa(port))
	claim, err := net.ListenPacket("udp", address)
	if err != nil {
		return nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		_ = claim.Close()
		return nil
	}
	_ = l.Close()
	return claim
}

// portTries is how many ports a server is given, one after the other: somebody else may take one between its choice and
// the server's start.
const portTries = 5

// portTaken reports whether a server did not start since somebody else listens on its port.
func portTaken(err error) bool { return strings.Contains(err.Error(), "Failed listening on port") }

// Port makes the server listen on a free port of the loopback address, beside its socket. Each try to start has
// another one.
func Port(t testing.TB) RedisOption {
	return func(s *redisSettings) { onPort(freePort(t))(s) }
}

// busPort makes the nodes of a cluster speak to each other on a free port.
func busPort(t testing.TB) RedisOption {
	return func(s *redisSettings) {
		s.bus = freePort(t)
		s.lines = append(s.lines, fmt.Sprintf("cluster-port %d", s.bus))
	}
}

func onPort(port int) RedisOption {
	return func(s *redisSettings) {
		s.port = port
		s.lines = append(s.lines, "bind "+loopback, fmt.Sprintf("port %d", port))
	}
}
