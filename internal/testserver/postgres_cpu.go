package testserver

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of CPU times in /proc: on Linux a hundredth of a second, whatever the kernel counts by itself.
const tick = time.Second / 100

// CPU returns the CPU time of all processes of the server since it was started, those that have ended included; 0 where
// there is no /proc.
func (s *PostgresServer) CPU() time.Duration {
	pid := s.process.pid()
	for {
		own, ended := cpuOf(pid)
		for _, child := range children(pid) {
			used, _ := cpuOf(child)
			own += used
		}
		if _, after := cpuOf(pid); after == ended { // else a process has ended meanwhile, and may be in both or in neither
			return own + ended
		}
	}
}

// cpuOf returns the CPU time of a process, and of those of its children that have ended.
func cpuOf(pid int) (own, ended time.Duration) {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")) // one that has just gone has none
	return parseCPU(string(text))
}

// parseCPU reads what /proc tells of a process: pid (name) state parent ..., the name of which may hold anything.
func parseCPU(stat string) (own, ended time.Duration) {
	const user = 11 // utime, stime, cutime and cstime, counted from the state
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < user+4 {
		return 0, 0
	}
	of := func(i int) time.Duration {
		n, _ := strconv.ParseInt(fields[i], 10, 64)
		return time.Duration(n) * tick
	}
	return of(user) + of(user+1), of(user+2) + of(user+3)
}
