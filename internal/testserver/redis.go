package testserver

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
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
	process *process
}

// RedisOption changes how a server is started.
type RedisOption func(*redisSettings)

type redisSettings struct {
	lines   []string
	environ []string
	user    *url.Userinfo
}

// Config adds lines to redis.conf; a later line wins over an earlier one.
func Config(lines ...string) RedisOption {
	return func(s *redisSettings) { s.lines = append(s.lines, lines...) }
}

// Persistent keeps the data in an append-only file that is synced at every write, so that
// [RedisServer.Restart] finds it again.
func Persistent() RedisOption { return Config("appendonly yes", "appendfsync always") }

// User adds an ACL user with the given rules (as "~smsd:* +@all -time"), and makes
// [RedisServer.URL] log in as that user. The default user may still do everything.
func User(name, password string, rules ...string) RedisOption {
	return func(s *redisSettings) {
		s.user = url.UserPassword(name, password)
		s.lines = append(s.lines, fmt.Sprintf("user %s on >%s %s", name, password, strings.Join(rules, " ")))
	}
}

// Redis starts a server and ends it with the test.
func Redis(t testing.TB, options ...RedisOption) *RedisServer {
	t.Helper()
	program := lookFor(t, "redis-server")
	settings := redisSettings{}
	for _, o := range options {
		o(&settings)
	}
	s := &RedisServer{t: t, dir: tempFolder(t), user: settings.user}
	s.process = &process{program: program, arguments: []string{s.writeConfig(settings.lines)}, environ: settings.environ, dir: s.dir}
	s.start()
	t.Cleanup(s.process.kill)
	return s
}

// writeConfig returns the path of a redis.conf without a port, and without persistence unless lines ask for it.
func (s *RedisServer) writeConfig(lines []string) string {
	s.t.Helper()
	all := append([]string{
		"port 0",
		"unixsocket " + s.Socket(),
		"unixsocketperm 700",
		"dir " + s.dir,
		"logfile " + filepath.Join(s.dir, "redis.log"),
		"daemonize no",
		`save ""`,
		"appendonly no",
	}, lines...)
	path := filepath.Join(s.dir, "redis.conf")
	if err := os.WriteFile(path, []byte(strings.Join(all, "\n")+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// Socket returns the path of the server's unix socket.
func (s *RedisServer) Socket() string { return filepath.Join(s.dir, "redis.sock") }

// URL returns unix://[user:password@]path.
func (s *RedisServer) URL() string {
	return (&url.URL{Scheme: "unix", User: s.user, Path: s.Socket()}).String()
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
const startTimeout = 20 * time.Second

func (s *RedisServer) start() {
	s.t.Helper()
	if err := s.process.start(); err != nil {
		s.t.Fatalf("start redis-server: %v", err)
	}
	for limit := time.Now().Add(startTimeout); !s.answers(); {
		if time.Now().After(limit) || s.process.ended() {
			log, _ := os.ReadFile(filepath.Join(s.dir, "redis.log"))
			s.process.kill()
			s.t.Fatalf("redis-server does not answer; its log:\n%s", log)
		}
		time.Sleep(2 * time.Millisecond) // another process is starting; there is no clock to replace
	}
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
