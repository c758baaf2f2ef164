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
// others are to find them by their address, have one.
func freePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		l, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(port)))
		if err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no free port on the loopback address")
	return 0
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
