//go:build unix

package app

import (
	"math"
	"syscall"
)

// openFiles is how many files this process may have open: Go has raised that to the hard limit when the process began.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt32
	}
	return int(min(uint64(limit.Cur), math.MaxInt32))
}
