//go:build unix

package policy

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the file's place, which nobody writes to, holds up nothing.
func TestGlanceAtAPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "policy.yaml")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	var g glance
	if !g.changed(path) || g.changed(path) {
		t.Error("a pipe looks otherwise each time")
	}
}
