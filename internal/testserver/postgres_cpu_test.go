package testserver

import (
	"os"
	"testing"
	"time"
)

func TestCPUIsReadFromProc(t *testing.T) {
	t.Parallel()
	own, ended := parseCPU("12 (post) 9 gres) S 1 12 12 0 -1 4194560 1 2 3 4 150 50 7 3 20 0 1 0 99")
	if own != 2*time.Second || ended != 100*time.Millisecond {
		t.Errorf("%s and %s", own, ended)
	}
	if own, ended := parseCPU(""); own != 0 || ended != 0 {
		t.Errorf("of nothing: %s and %s", own, ended)
	}
}

// The time of a connection's process counts while it runs and when it has ended.
func TestPostgresCPUOfEveryProcess(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc here")
	}
	s := Postgres(t)
	before := s.CPU()
	// A third of a second of one core or so, in a process that ends with the connection.
	s.Do("SELECT count(*) FROM generate_series(1, 3000000)")
	if used := s.CPU() - before; used < 50*time.Millisecond {
		t.Errorf("three million rows took %s", used)
	}
}
