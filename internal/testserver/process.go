package testserver

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
)

// lookFor returns the path of a program, or skips the test (or fails it, see the package comment).
func lookFor(t testing.TB, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		missing(t, program)
	}
	return path
}

// missing ends a test that needs what is not installed.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("SMSD_REQUIRE_SERVERS") == "1" {
		t.Fatalf("%s is not installed, and SMSD_REQUIRE_SERVERS=1 (make deps installs it)", what)
	}
	t.Skipf("%s is not installed (make deps installs it)", what)
}

// tempFolder returns a folder with a short name: a unix socket's path has at most 103 bytes (macOS,
// 107 on Linux), for which t.TempDir, which holds the test's name, is too long.
func tempFolder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "smsd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// process is one server process, started any number of times.
type process struct {
	program   string
	arguments []string
	environ   []string // beside this process's own
	dir       string
	as        *syscall.Credential // nil: as this process
	log       string              // the file of what it says; "": nowhere

	mu      sync.Mutex
	running *exec.Cmd
	done    chan struct{} // closed when running was waited for
	guard   io.Closer     // see guarded
}

func (p *process) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	cmd := exec.Command(p.program, p.arguments...)
	cmd.Env = append(os.Environ(), p.environ...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as}
	if p.log != "" {
		log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer func() { _ = log.Close() }()
		cmd.Stdout, cmd.Stderr = log, log
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	p.running, p.done, p.guard = cmd, done, guarded(cmd.Process.Pid, p.dir)
	return nil
}

// guarded starts a shell that waits for the returned pipe to close, which also happens when the test
// binary dies without cleaning up (a time-out, a panic, a signal to all), and then ends the process and
// removes its folder.
func guarded(pid int, dir string) io.Closer {
	const script = `trap "" INT TERM; read line; [ "$line" = done ] || { kill -9 "$1"; rm -rf "$2"; }`
	watch := exec.Command("sh", "-c", script, "sh", strconv.Itoa(pid), dir)
	pipe, err := watch.StdinPipe()
	if err != nil || watch.Start() != nil {
		return io.NopCloser(nil)
	}
	return &guard{pipe: pipe, watch: watch}
}

type guard struct {
	pipe  io.WriteCloser
	watch *exec.Cmd
}

// Close sends the guard away.
func (g *guard) Close() error {
	_, _ = io.WriteString(g.pipe, "done\n")
	_ = g.pipe.Close()
	return g.watch.Wait()
}

// pid is the process's number, or 0 if it does not run.
func (p *process) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		return 0
	}
	return p.running.Process.Pid
}

func (p *process) signal(sig syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running.Process.Signal(sig)
}

// kill ends the process, frozen or not, and waits until it is gone. Twice is once.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		return
	}
	_ = p.guard.Close()
	_ = p.running.Process.Kill() // works on a stopped process too
	<-p.done
	p.running = nil
}

// ended reports whether the process has gone by itself.
func (p *process) ended() bool {
	p.mu.Lock()
	done := p.done
	p.mu.Unlock()
	select {
	case <-done:
		return true
	default:
		return false
	}
}
