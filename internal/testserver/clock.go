package testserver

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// WallClock is the wall clock of a server's process, which a test may set. It runs like every other; the
// monotonic clock of the process is left alone, as when an operator or NTP sets a machine's time.
type WallClock struct {
	t    testing.TB
	file string

	mu    sync.Mutex
	ahead time.Duration
}

// RedisWithClock is [Redis] with a wall clock of its own, which starts right. It takes libfaketime, which
// a machine may lack like any program: see the package comment.
func RedisWithClock(t testing.TB, options ...RedisOption) (*RedisServer, *WallClock) {
	t.Helper()
	library := libfaketime(t)
	c := &WallClock{t: t, file: filepath.Join(tempFolder(t), "clock")}
	c.Step(0)
	environ := append(preload(library), "FAKETIME_TIMESTAMP_FILE="+c.file, "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1")
	return Redis(t, append(options, func(s *redisSettings) { s.environ = append(s.environ, environ...) })...), c
}

// Step sets the clock forward by d, or back. Safe for concurrent use.
func (c *WallClock) Step(d time.Duration) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
	// The file is replaced whole: the server reads it at every look at the clock.
	text := fmt.Sprintf("%+.3f\n", c.ahead.Seconds())
	if err := os.WriteFile(c.file+".new", []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(c.file+".new", c.file); err != nil {
		c.t.Fatal(err)
	}
}

// places are where packages put the library: Debian and its like, Fedora, Homebrew.
var places = []string{
	"/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib*/faketime/libfaketime.so.1",
	"/opt/homebrew/lib/faketime/libfaketime.1.dylib", "/usr/local/lib/faketime/libfaketime*.1*",
}

// libfaketime returns the path of the library.
func libfaketime(t testing.TB) string {
	t.Helper()
	for _, place := range places {
		if found, _ := filepath.Glob(place); len(found) > 0 {
			return found[0]
		}
	}
	missing(t, "libfaketime")
	return ""
}

// preload makes a process use the library. The C library's malloc comes before that of Redis (jemalloc),
// which asks for the time before the library is ready, and hangs.
func preload(library string) []string {
	if runtime.GOOS == "darwin" {
		return []string{"DYLD_INSERT_LIBRARIES=" + library, "DYLD_FORCE_FLAT_NAMESPACE=1"}
	}
	return []string{"LD_PRELOAD=" + strings.Join([]string{library, "libc.so.6"}, " ")}
}
