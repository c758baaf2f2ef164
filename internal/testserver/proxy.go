package testserver

import (
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// ProxyServer carries bytes between clients and a server's unix socket, and loses or holds up those
// it is told to. What it is told holds for open connections too. Safe for concurrent use.
type ProxyServer struct {
	target, socket string
	listener       net.Listener
	closed         chan struct{}

	requests atomic.Bool  // carried at all
	replies  atomic.Int64 // how many more bytes of replies are carried; below 0: all
	delay    atomic.Int64 // nanoseconds that each piece of a reply waits

	mu    sync.Mutex
	conns map[net.Conn]*pair
	held  chan struct{} // closed: requests are not held up
	work  sync.WaitGroup
}

// pair is what one client's connection and the server's behind it share.
type pair struct {
	forsaken atomic.Bool // carries nothing any more
}

// carryAll is the number of reply bytes that stands for no limit.
const carryAll = -1

// Proxy starts one in front of target, a unix socket, and ends it with the test.
func Proxy(t testing.TB, target string) *ProxyServer {
	t.Helper()
	p := &ProxyServer{target: target, closed: make(chan struct{}), conns: map[net.Conn]*pair{}, held: make(chan struct{})}
	close(p.held)
	p.socket = filepath.Join(tempFolder(t), "proxy.sock")
	listener, err := net.Listen("unix", p.socket)
	if err != nil {
		t.Fatal(err)
	}
	p.listener = listener
	p.Pass()
	p.work.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// URL returns unix://path.
func (p *ProxyServer) URL() string { return "unix://" + p.socket }

// Pass carries everything at once, as at the start; what [ProxyServer.Hold] has kept back goes first.
func (p *ProxyServer) Pass() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.held:
	default:
		close(p.held)
	}
	p.requests.Store(true)
	p.replies.Store(carryAll)
	p.delay.Store(0)
}

// SwallowReplies carries requests, and of the replies the next bytes bytes only: the server does what
// it is asked, and nobody learns of it.
func (p *ProxyServer) SwallowReplies(bytes int) { p.replies.Store(int64(bytes)) }

// BlackHole carries nothing in either direction; connections stay open and new ones are accepted.
func (p *ProxyServer) BlackHole() {
	p.requests.Store(false)
	p.replies.Store(0)
}

// Hold keeps requests back, until Pass delivers them late: even those of a client that has gone meanwhile.
func (p *ProxyServer) Hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = make(chan struct{})
}

// Forsake makes every open connection half-open: the peer is gone without a word, as when a machine loses
// its power or a firewall its table, and nothing is carried on it ever again. New connections are as good as ever.
func (p *ProxyServer) Forsake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pair := range p.conns {
		pair.forsaken.Store(true)
	}
}

// Delay holds each piece of a reply up by d.
func (p *ProxyServer) Delay(d time.Duration) { p.delay.Store(int64(d)) }

// Cut closes every connection.
func (p *ProxyServer) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
}

func (p *ProxyServer) close() {
	close(p.closed)
	_ = p.listener.Close()
	p.Cut()
	p.work.Wait()
}

func (p *ProxyServer) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		if both := p.keep(client, server); both != nil {
			p.work.Go(func() { p.carry(client, server, both, p.request) })
			p.work.Go(func() { p.carry(server, client, both, p.reply) })
		}
	}
}

// keep remembers the connections, unless the proxy has closed: then it closes them, and returns nil.
func (p *ProxyServer) keep(client, server net.Conn) *pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		_, _ = client.Close(), server.Close()
		return nil
	default:
	}
	both := &pair{}
	p.conns[client], p.conns[server] = both, both
	return both
}

// carry copies until either side ends. what says how much of a piece goes on.
func (p *ProxyServer) carry(from, to net.Conn, both *pair, what func([]byte) []byte) {
	defer func() {
		_, _ = from.Close(), to.Close()
		p.mu.Lock()
		delete(p.conns, from)
		p.mu.Unlock()
	}()
	piece := make([]byte, 32*1024)
	for {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		carried := what(piece[:n])
		if both.forsaken.Load() {
			carried = nil
		}
		if _, err := to.Write(carried); err != nil {
			return
		}
	}
}

func (p *ProxyServer) request(piece []byte) []byte {
	p.mu.Lock()
	held := p.held
	p.mu.Unlock()
	select {
	case <-held:
	case <-p.closed:
	}
	if p.requests.Load() {
		return piece
	}
	return nil
}

func (p *ProxyServer) reply(piece []byte) []byte {
	if d := time.Duration(p.delay.Load()); d > 0 {
		select {
		case <-time.After(d):
		case <-p.closed:
		}
	}
	left := p.replies.Load()
	if left < 0 {
		return piece
	}
	piece = piece[:min(int64(len(piece)), left)]
	p.replies.CompareAndSwap(left, left-int64(len(piece)))
	return piece
}
