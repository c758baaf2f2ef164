package app

import (
	"net"
	"net/netip"
	"slices"
	"sync"

	"smsd/internal/address"
	"smsd/internal/config"
)

const (
	// One client address may hold a sixteenth of all connections, 2,048 of the default's: one that sends as fast as local.ip_rate lets
	// it, 100 a second and 200 at once, has 1,000 sends on their way where every carrier takes its whole 8 s. The built-in policy answers
	// 25 sends and 300 verifies of one address in five minutes, so no more people than that get anything by sharing it.
	partOfAll = 16
	// fewestPerAddress is where a sixteenth is less: what 20 browsers open that share an address, each with its six connections to a
	// host. Half of all is the most nevertheless, so that nobody has all of them.
	fewestPerAddress = 128
)

// perAddressOf is how many of most connections one client address may hold.
func perAddressOf(c config.HTTP, most int) int {
	if c.MaxConnectionsPerAddress > 0 {
		return min(c.MaxConnectionsPerAddress, most)
	}
	return max(most/partOfAll, min(fewestPerAddress, (most+1)/2))
}

// fair is a listener of whose connections one client address, as rules count it, has no more than its share: what it opens beyond
// that is closed before anything is read. A trusted proxy may have as many as it likes, since everybody comes through it, and so may
// a peer that has no address. It remembers nothing but the addresses of connections that are open.
type fair struct {
	net.Listener
	share   int
	trusted []netip.Prefix
	refused func(address.Addr) // is told of each that is closed; must not block

	mu   sync.Mutex
	held map[string]int // connections, by [address.Addr.Host]
}

func newFair(l net.Listener, share int, trusted []netip.Prefix, refused func(address.Addr)) *fair {
	return &fair{Listener: l, share: share, trusted: trusted, refused: refused, held: make(map[string]int)}
}

// Accept returns the next connection of an address that may have one more.
func (s *fair) Accept() (net.Conn, error) {
	for {
		conn, err := s.Listener.Accept()
		if err != nil {
			return nil, err
		}
		peer := s.boundPeer(conn)
		switch {
		case peer.IsZero():
			return conn, nil
		case s.take(peer.Host()):
			return &fairConn{Conn: conn, leave: func() { s.leave(peer.Host()) }}, nil
		}
		drop(conn)
		s.refused(peer)
	}
}

// boundPeer is the address at the other end; none where its connections are not counted.
func (s *fair) boundPeer(conn net.Conn) address.Addr {
	tcp, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return address.Addr{}
	}
	peer := address.From(tcp.AddrPort().Addr())
	if slices.ContainsFunc(s.trusted, func(p netip.Prefix) bool { return p.Contains(peer.IP()) }) {
		return address.Addr{}
	}
	return peer
}

func (s *fair) take(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[host] >= s.share {
		return false
	}
	s.held[host]++
	return true
}

func (s *fair) leave(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[host]--; s.held[host] <= 0 {
		delete(s.held, host)
	}
}

// drop closes a connection by a reset: a farewell would be kept by the system for a minute, for each of a flood.
func drop(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// fairConn leaves its place when it is closed, whoever closes it and how often.
type fairConn struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (c *fairConn) Close() error {
	defer c.once.Do(c.leave)
	return c.Conn.Close()
}
