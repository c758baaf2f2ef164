package testserver

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// ask sends one inline command and returns the first line of the answer.
func ask(t *testing.T, conn net.Conn, command string) (string, error) {
	t.Helper()
	if _, err := conn.Write([]byte(command + "\r\n")); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimSpace(line), err
}

func dial(t *testing.T, socket string) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func expect(t *testing.T, conn net.Conn, command, want string) {
	t.Helper()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if got, err := ask(t, conn, command); got != want || err != nil {
		t.Fatalf("%s: got %q, %v, want %q", command, got, err, want)
	}
}

// silent sends a command and expects no answer; the wait is short because an answer would come at once.
func silent(t *testing.T, conn net.Conn, command string) {
	t.Helper()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := conn.Write([]byte(command + "\r\n")); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	_ = conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
	if got, err := bufio.NewReader(conn).ReadString('\n'); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("%s: got %q, %v, want silence", command, got, err)
	}
}

// becomes waits until a key holds a number: what a proxy carries comes in its own time.
func becomes(t *testing.T, s *RedisServer, key, number string) {
	t.Helper()
	s.await(key+" = "+number, func() bool { return s.text("get", key) == number })
}

// forgets closes a connection, and waits until the proxy has done with what was sent on it.
func (p *ProxyServer) forgets(t *testing.T, s *RedisServer, conn net.Conn) {
	t.Helper()
	open := func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.conns)
	}
	before := open()
	_ = conn.Close()
	s.await("the end of a connection", func() bool { return open() == before-2 })
}

func TestFrozenServerIsSilentThenAnswers(t *testing.T) {
	t.Parallel()
	s := Redis(t)
	conn := dial(t, s.Socket())
	expect(t, conn, "SET a 1", "+OK")
	s.Freeze()
	silent(t, conn, "INCR a")
	s.Thaw()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || strings.TrimSpace(line) != ":2" {
		t.Fatalf("what came in while frozen was not done: %q, %v", line, err)
	}
}

func TestRestartedServerIsEmpty(t *testing.T) {
	t.Parallel()
	s := Redis(t)
	expect(t, dial(t, s.Socket()), "SET a 1", "+OK")
	s.Kill()
	if conn, err := net.Dial("unix", s.Socket()); err == nil {
		_ = conn.Close()
		t.Fatal("a killed server takes connections")
	}
	s.Restart()
	expect(t, dial(t, s.Socket()), "EXISTS a", ":0")
}

func TestPersistentServerKeepsItsData(t *testing.T) {
	t.Parallel()
	s := Redis(t, Persistent())
	expect(t, dial(t, s.Socket()), "SET a 1", "+OK")
	s.Restart()
	expect(t, dial(t, s.Socket()), "EXISTS a", ":1")
}

func TestFrozenServerEndsWithItsTest(t *testing.T) {
	t.Parallel()
	var s *RedisServer
	t.Run("inner", func(t *testing.T) {
		s = Redis(t)
		s.Freeze()
	})
	if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if s.process.running != nil {
		t.Error("the process is still there")
	}
}

func TestProxy(t *testing.T) {
	t.Parallel()
	s := Redis(t)
	p := Proxy(t, s.Socket())
	expect(t, dial(t, p.socket), "INCR a", ":1")

	p.SwallowReplies(0)
	silent(t, dial(t, p.socket), "INCR a")
	becomes(t, s, "a", "2") // what was swallowed was done
	p.Pass()
	expect(t, dial(t, p.socket), "INCR a", ":3")

	lost := dial(t, p.socket)
	expect(t, lost, "PING", "+PONG")
	p.BlackHole()
	silent(t, lost, "INCR a")
	p.forgets(t, s, lost)
	p.Pass()
	expect(t, dial(t, p.socket), "INCR a", ":4") // what fell into the hole was not

	p.SwallowReplies(2)
	silent(t, dial(t, p.socket), "INCR a")
	becomes(t, s, "a", "5")
	p.Pass()
	p.Delay(10 * time.Millisecond)
	start := time.Now()
	expect(t, dial(t, p.socket), "INCR a", ":6")
	if took := time.Since(start); took < 10*time.Millisecond {
		t.Errorf("the reply was held up by %s only", took)
	}

	conn := dial(t, p.socket)
	expect(t, conn, "PING", "+PONG")
	p.Cut()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if got, err := ask(t, conn, "PING"); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("a cut connection answers %q, %v", got, err)
	}
}

func TestServerEndsWithTheTestBinary(t *testing.T) {
	t.Parallel()
	s := Redis(t)
	_ = s.process.guard.(*guard).pipe.Close() // as when this process dies
	select {
	case <-s.process.done:
	case <-time.After(30 * time.Second):
		t.Fatal("the server lives on")
	}
}

// A port is its test's while the server is down, and nobody else is given it.
func TestPortIsKept(t *testing.T) {
	t.Parallel()
	s := Redis(t, Port(t))
	s.Kill()
	if other := claimed(s.port); other != nil {
		_ = other.Close()
		t.Error("another test would be given the port")
	}
	s.Restart()
}

// A port that was taken between its choice and the start is left for another one.
func TestPortThatWasTaken(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]func(port int) RedisOption{
		"port": onPort,
		"bus": func(port int) RedisOption {
			return func(s *redisSettings) {
				s.lines = append(s.lines, "cluster-enabled yes", fmt.Sprintf("cluster-port %d", port))
			}
		},
	} {
		taken, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = taken.Close() }()
		tries := 0
		s := Redis(t, Port(t), func(s *redisSettings) {
			if tries++; tries == 1 {
				option(taken.Addr().(*net.TCPAddr).Port)(s)
			}
		})
		if tries < 2 || s.Do("ping") != "PONG" { // more where somebody has taken another one, too
			t.Errorf("%s: %d tries", name, tries)
		}
	}
}
