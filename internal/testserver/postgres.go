package testserver

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// PostgresServer is a running PostgreSQL server that belongs to one test. Its methods fail the test on an error. They are for
// one goroutine, but for [PostgresServer.Database]; the server itself is anybody's.
type PostgresServer struct {
	t       testing.TB
	dir     string
	process *process
	made    atomic.Int64 // databases
}

// PostgresOption changes how a server is started.
type PostgresOption func(*postgresSettings)

type postgresSettings struct {
	durable bool
	lines   []string
}

// Durable makes the server write to the disk before it answers, as one in use does. Without it, what was written still
// outlives [PostgresServer.Kill], which does not end the machine.
func Durable() PostgresOption { return func(s *postgresSettings) { s.durable = true } }

// PostgresConfig adds settings as name=value; a later one wins over an earlier one.
func PostgresConfig(lines ...string) PostgresOption {
	return func(s *postgresSettings) { s.lines = append(s.lines, lines...) }
}

// Postgres starts a server, empty but for the database postgres, and ends it with the test. PostgreSQL does not run as root: there
// it runs as the user postgres, or else nobody.
func Postgres(t testing.TB, options ...PostgresOption) *PostgresServer {
	t.Helper()
	bin := lookForPostgres(t)
	settings := postgresSettings{}
	for _, o := range options {
		o(&settings)
	}
	s := &PostgresServer{t: t, dir: tempFolder(t)}
	as, err := unprivileged(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := initPostgres(bin, s.data(), as); err != nil {
		t.Fatal(err)
	}
	s.process = &process{program: filepath.Join(bin, "postgres"), arguments: s.arguments(settings), dir: s.dir, as: as, log: s.log()}
	t.Cleanup(s.Kill)
	s.start()
	return s
}

func (s *PostgresServer) data() string { return filepath.Join(s.dir, "data") }
func (s *PostgresServer) log() string  { return filepath.Join(s.dir, "postgres.log") }

// arguments are without a port, and with little memory: many servers may run at once.
func (s *PostgresServer) arguments(settings postgresSettings) []string {
	all := []string{"listen_addresses=", "unix_socket_directories=" + s.dir, "shared_buffers=16MB", "max_connections=120", "max_wal_size=128MB"}
	if !settings.durable {
		all = append(all, "fsync=off", "full_page_writes=off")
	}
	arguments := []string{"-D", s.data()}
	for _, line := range append(all, settings.lines...) {
		arguments = append(arguments, "-c", line)
	}
	return arguments
}

// initPostgres makes the files of a server, in which anybody who reaches the socket is the user smsd.
func initPostgres(bin, data string, as *syscall.Credential) error {
	make := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "smsd", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
	make.Dir = "/" // its own folder may be one that the user cannot enter
	make.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	if said, err := make.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, said)
	}
	return nil
}

// URL returns where the database postgres is.
func (s *PostgresServer) URL() string { return s.urlOf("postgres") }

func (s *PostgresServer) urlOf(database string) string {
	return (&url.URL{Scheme: "postgres", User: url.User("smsd"), Path: "/" + database, RawQuery: url.Values{"host": {s.dir}}.Encode()}).String()
}

// Restart starts a server that was killed, or kills it first. It holds what was committed.
func (s *PostgresServer) Restart() {
	s.t.Helper()
	s.Kill()
	s.start()
}

func (s *PostgresServer) start() {
	s.t.Helper()
	if err := s.process.start(); err != nil {
		s.t.Fatalf("start postgres: %v", err)
	}
	for limit := time.Now().Add(startTimeout); ; {
		err := s.Exec("SELECT 1")
		if err == nil {
			return
		}
		if time.Now().After(limit) || s.process.ended() {
			log, _ := os.ReadFile(s.log())
			s.t.Fatalf("postgres does not answer: %v; its log:\n%s", err, log)
		}
		time.Sleep(2 * time.Millisecond) // another process is starting; there is no clock to replace
	}
}

// lookForPostgres returns the folder of the programs, or skips the test (or fails it, see the package comment). Debian
// has them in no PATH, Homebrew neither.
func lookForPostgres(t testing.TB) string {
	t.Helper()
	if found, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(found); err == nil {
			return filepath.Dir(real)
		}
	}
	for _, places := range []string{"/usr/lib/postgresql/*/bin/postgres", "/opt/homebrew/opt/postgresql@*/bin/postgres", "/usr/local/opt/postgresql@*/bin/postgres"} {
		if found, _ := filepath.Glob(places); len(found) > 0 {
			return filepath.Dir(found[len(found)-1])
		}
	}
	missing(t, "postgres")
	return ""
}

// unprivileged gives a folder to whom servers run as that refuse to run as root, and returns who that is; nil where this
// process is not root.
func unprivileged(dir string) (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if as, err := credential(name); err == nil {
			return as, os.Chown(dir, int(as.Uid), int(as.Gid))
		}
	}
	return nil, errors.New("postgres does not run as root, and there is no user postgres or nobody")
}
