//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package app

import (
	"syscall"
	"testing"
)

// A process that is started in the same moment has every file of this one open until it runs its own program: the lock is given
// back all the same.
func TestALockIsGivenBackThoughAnotherProcessHasTheFile(t *testing.T) {
	t.Parallel()
	cfg := settings(t, ofDev)
	first, err := openDataDir(cfg)
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := syscall.Dup(int(first.lock.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	second, err := openDataDir(cfg)
	if err != nil {
		t.Fatalf("not given back: %v", err)
	}
	if err := second.close(); err != nil {
		t.Error(err)
	}
}
