//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package app

import "os"

// lockFile does nothing: this system has no flock.
func lockFile(*os.File) error { return nil }

// unlockFile does nothing either.
func unlockFile(*os.File) error { return nil }
