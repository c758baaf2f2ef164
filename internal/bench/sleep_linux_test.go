package bench

import (
	"syscall"
	"time"
)

// sleep waits, to within the kernel's 50 µs or so. time.Sleep rounds up to a whole millisecond where nothing else
// runs, which is longer than most answers take. An early return by a signal is the caller's to see.
func sleep(d time.Duration) {
	t := syscall.NsecToTimespec(d.Nanoseconds())
	_ = syscall.Nanosleep(&t, nil)
}
