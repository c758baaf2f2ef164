package testserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Freeze stops every process of the server where it stands (SIGSTOP): connections stay open and nothing answers, nor is
// a new one taken.
func (s *PostgresServer) Freeze() {
	s.t.Helper()
	for _, pid := range s.stopped() {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // one that has just gone needs none
	}
}

// Thaw lets a frozen server go on with what has queued meanwhile.
func (s *PostgresServer) Thaw() {
	s.t.Helper()
	for _, pid := range append(children(s.process.pid()), s.process.pid()) {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
}

// stopped stops the process that makes the others, and returns those: their number does not grow any more.
func (s *PostgresServer) stopped() []int {
	s.t.Helper()
	pid := s.process.pid()
	if pid == 0 {
		return nil
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		s.t.Fatalf("signal postgres: %v", err)
	}
	return children(pid)
}

// Kill ends every process of the server at once (SIGKILL), frozen or not, and returns when they are gone: what is left of
// a server keeps the next one from starting. Twice is once.
func (s *PostgresServer) Kill() {
	s.t.Helper()
	others := s.stopped()
	for _, pid := range others {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.process.kill()
	for limit := time.Now().Add(startTimeout); alive(others); time.Sleep(time.Millisecond) { // they are no children of this process to wait for
		if time.Now().After(limit) {
			s.t.Fatalf("postgres: some of %v do not end", others)
		}
	}
}

// alive reports whether any of the processes runs still: one that nobody waited for is gone.
func alive(pids []int) bool {
	for _, pid := range pids {
		if syscall.Kill(pid, 0) == nil && stateOf(pid) != "Z" {
			return true
		}
	}
	return false
}

// children are the processes that a process made, and no others: each of PostgreSQL's is in a session of its own.
func children(parent int) []int {
	var found []int
	for _, one := range processes() {
		if one.parent == parent {
			found = append(found, one.pid)
		}
	}
	return found
}

func stateOf(pid int) string {
	for _, one := range processes() {
		if one.pid == pid {
			return one.state
		}
	}
	return "Z"
}

type listed struct {
	pid, parent int
	state       string
}

// processes are all of this machine, from /proc or, where there is none, from ps.
func processes() []listed {
	var all []listed
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // gone meanwhile
		}
		// pid (name) state parent ...; the name may hold anything
		_, behind, _ := strings.Cut(string(text[strings.LastIndex(string(text), ")"):]), " ")
		if fields := strings.Fields(behind); len(fields) > 1 {
			all = append(all, listedOf(filepath.Base(filepath.Dir(path)), fields[1], fields[0]))
		}
	}
	if len(all) > 0 {
		return all
	}
	text, _ := exec.Command("ps", "-axo", "pid=,ppid=,state=").Output()
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 {
			all = append(all, listedOf(fields[0], fields[1], fields[2][:1]))
		}
	}
	return all
}

func listedOf(pid, parent, state string) listed {
	p, _ := strconv.Atoi(pid)
	q, _ := strconv.Atoi(parent)
	return listed{p, q, state}
}
