package testserver

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
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

// Port makes the server listen on a free port of the loopback address, beside its socket.
func Port(t testing.TB) RedisOption {
	return onPort(freePort(t))
}

func onPort(port int) RedisOption {
	return func(s *redisSettings) {
		s.port = port
		s.lines = append(s.lines, "bind "+loopback, fmt.Sprintf("port %d", port))
	}
}
