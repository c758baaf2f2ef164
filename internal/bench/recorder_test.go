package bench

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// recorder stands between a client and a redis-server, and keeps what the client says.
type recorder struct {
	url  string
	mu   sync.Mutex
	said bytes.Buffer
}

// Write keeps a piece of what a client says.
func (r *recorder) Write(piece []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.Write(piece)
}

// record starts a recorder in front of a server's socket. It ends with the test.
func record(t testing.TB, socket string) *recorder {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{url: "unix://" + path}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			work.Go(func() { r.carry(conn, socket) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); work.Wait() })
	return r
}

// carry ends when either side does.
func (r *recorder) carry(client net.Conn, socket string) {
	server, err := net.Dial("unix", socket)
	if err != nil {
		_ = client.Close()
		return
	}
	var answers sync.WaitGroup
	answers.Go(func() { _, _ = io.Copy(client, server); _ = client.Close() })
	_, _ = io.Copy(io.MultiWriter(r, server), client)
	_ = server.Close()
	answers.Wait()
}

// commands returns what was said so far, as commands of words; what is not whole is left out.
func (r *recorder) commands() (all [][]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := r.said.Bytes()
	for {
		var words []string
		n, ok := 0, false
		if n, rest, ok = header(rest, '*'); !ok {
			return all
		}
		for range n {
			length := 0
			if length, rest, ok = header(rest, '$'); !ok || len(rest) < length+2 {
				return all
			}
			words = append(words, string(rest[:length]))
			rest = rest[length+2:]
		}
		all = append(all, words)
	}
}

// header reads a kind and a number, as "*3\r\n".
func header(text []byte, kind byte) (n int, rest []byte, ok bool) {
	line, rest, found := bytes.Cut(text, []byte("\r\n"))
	if !found || len(line) < 2 || line[0] != kind {
		return 0, nil, false
	}
	n, err := strconv.Atoi(string(line[1:]))
	return n, rest, err == nil
}
