package testserver

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// RedisServer is a running redis-server that belongs to one test. Its methods fail the test on an
// error. They are for one goroutine; the server itself is anybody's.
type RedisServer struct {
	t       testing.TB
	dir     string
	user    *url.Userinfo
	owner   string // the default user's password, or ""
	port    int    // 0: none, the unix socket alone
	bus     int    // the port by which the nodes of a cluster speak to each other
	tls     bool
	process *process
}

// Redis starts a server and ends it with the test.
func Redis(t testing.TB, options ...RedisOption) *RedisServer {
	t.Helper()
	program := lookFor(t, redisProgram())
	for tries := 1; ; tries++ {
		s := newRedis(t, program, options)
		err := s.begin()
		if err == nil {
			t.Cleanup(s.process.kill)
			return s
		}
		if tries == portTries || !portTaken(err) {
			t.Fatal(err)
		}
	}
}

// newRedis prepares a server, on ports of its own.
func newRedis(t testing.TB, program string, options []RedisOption) *RedisServer {
	t.Helper()
	settings := redisSettings{}
	for _, o := range options {
		o(&settings)
	}
	s := &RedisServer{t: t, dir: tempFolder(t), user: settings.user, owner: settings.owner, port: settings.port, bus: settings.bus, tls: settings.tls}
	arguments := append([]string{s.writeConfig(settings)}, settings.arguments...)
	s.process = &process{program: program, arguments: arguments, environ: settings.environ, dir: s.dir}
	return s
}

// redisProgram is what is started: redis-server, or what speaks as it does.
func redisProgram() string {
	if program := os.Getenv("SMSD_TEST_REDIS_SERVER"); program != "" {
		return program
	}
	return "redis-server"
}

// writeConfig returns the path of a redis.conf without a port and without persistence, unless lines ask for them.
func (s *RedisServer) writeConfig(settings redisSettings) string {
	s.t.Helper()
	all := []string{
		"port 0",
		"unixsocket " + s.Socket(),
		"unixsocketperm 700",
		"dir " + s.dir,
		"logfile " + filepath.Join(s.dir, "redis.log"),
		"daemonize no",
	}
	if !settings.sentinel {
		all = append(all, `save ""`, "appendonly no")
	}
	all = append(all, settings.lines...)
	path := filepath.Join(s.dir, "redis.conf")
	if err := os.WriteFile(path, []byte(strings.Join(all, "\n")+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// Socket returns the path of the server's unix socket.
func (s *RedisServer) Socket() string { return filepath.Join(s.dir, "redis.sock") }

// URL returns unix://[user:password@]path; of a server with a port redis:// or rediss://, and that.
func (s *RedisServer) URL() string {
	switch {
	case s.port == 0:
		return (&url.URL{Scheme: "unix", User: s.user, Path: s.Socket()}).String()
	case s.tls:
		return (&url.URL{Scheme: "rediss", User: s.user, Host: s.Address()}).String()
	}
	return (&url.URL{Scheme: "redis", User: s.user, Host: s.Address()}).String()
}

// Address returns the server's host:port, or "" if it has no port.
func (s *RedisServer) Address() string {
	if s.port == 0 {
		return ""
	}
	return net.JoinHostPort(loopback, strconv.Itoa(s.port))
}

// Freeze stops the process where it stands (SIGSTOP): connections stay open and nothing answers.
func (s *RedisServer) Freeze() { s.t.Helper(); s.signal(syscall.SIGSTOP) }

// Thaw lets a frozen server go on with what has queued meanwhile.
func (s *RedisServer) Thaw() { s.t.Helper(); s.signal(syscall.SIGCONT) }

func (s *RedisServer) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.process.signal(sig); err != nil {
		s.t.Fatalf("signal redis-server: %v", err)
	}
}

// Kill ends the process at once (SIGKILL), and returns when it is gone.
func (s *RedisServer) Kill() { s.process.kill() }

// Restart starts a server that was killed, or kills it first; it is empty unless [Persistent].
func (s *RedisServer) Restart() {
	s.t.Helper()
	s.process.kill()
	_ = os.Remove(s.Socket()) // or a client would connect to what nobody listens on
	s.start()
}

// startTimeout is far above what a start takes (20 ms), for a machine that is busy.
const startTimeout = time.Minute

func (s *RedisServer) start() {
	s.t.Helper()
	if err := s.begin(); err != nil {
		s.t.Fatal(err)
	}
}

// begin is start that returns what goes wrong, with the server's log.
func (s *RedisServer) begin() error {
	if err := s.process.start(); err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	for limit := time.Now().Add(startTimeout); !s.answers(); {
		if time.Now().After(limit) || s.process.ended() {
			log, _ := os.ReadFile(filepath.Join(s.dir, "redis.log"))
			s.process.kill()
			return fmt.Errorf("redis-server does not answer; its log:\n%s", log)
		}
		time.Sleep(2 * time.Millisecond) // another process is starting; there is no clock to replace
	}
	return nil
}

// answers reports whether the server is done with starting: any answer but "still loading" will do.
func (s *RedisServer) answers() bool {
	conn, err := net.DialTimeout("unix", s.Socket(), time.Second)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	answer := make([]byte, 64)
	n, err := conn.Read(answer)
	return err == nil && !strings.HasPrefix(string(answer[:n]), "-LOADING")
}
