//go:build unix

package policy_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"smsd/internal/policy"
)

func TestWhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	if err := syscall.Mkfifo(path("fifo"), 0o600); err != nil {
		t.Skip(err)
	}
	write(t, path("huge"), strings.Repeat("#", policy.MaxSize)+"\n")
	_ = os.Symlink("loop", path("loop"))
	for name, want := range map[string]string{
		"missing":   "no such file",
		"fifo":      "not a regular file",
		".":         "not a regular file",
		"loop":      "too many levels",
		"huge":      "larger than 1048576 bytes",
		"/dev/zero": "not a regular file",
	} {
		file := path(name)
		if strings.HasPrefix(name, "/") {
			file = name
		}
		if _, err := policy.Open(policy.SourceOptions{Path: file}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", name, want, err)
		}
	}
}
