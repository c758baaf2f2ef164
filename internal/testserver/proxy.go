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
	conns map[net.Conn]bool
	work  sync.WaitGroup
}

// carryAll is the number of reply bytes that stands for no limit.
const carryAll = -1

// Proxy starts one in front of target, a unix socket, and ends it with the test.
func Proxy(t testing.TB, target string) *ProxyServer {
	t.Helper()
	p := &ProxyServer{target: target, closed: make(chan struct{}), conns: map[net.Conn]bool{}}
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

// Pass carries everything at once, as at the start.
func (p *ProxyServer) Pass() {
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
		if err != nil || !p.keep(client, server) {
			_ = client.Close()
			continue
		}
		p.work.Go(func() { p.carry(client, server, p.request) })
		p.work.Go(func() { p.carry(server, client, p.reply) })
	}
}

// keep remembers the connections, unless the proxy has closed.
func (p *ProxyServer) keep(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		for _, conn := range conns {
			_ = conn.Close()
		}
		return false
	default:
	}
	for _, conn := range conns {
		p.conns[conn] = true
	}
	return true
}

// carry copies until either side ends. what says how much of a piece goes on.
func (p *ProxyServer) carry(from, to net.Conn, what func([]byte) []byte) {
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
		if _, err := to.Write(what(piece[:n])); err != nil {
			return
		}
	}
}

func (p *ProxyServer) request(piece []byte) []byte {
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
