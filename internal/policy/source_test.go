package policy_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/policy"
)

const small = "scenes: {login: {code: {attempts: %d}, templates: {en: \"{{.Code}}\"}}}\n"

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReload(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	write(t, file, fmt.Sprintf(small, 1))
	registry := prometheus.NewRegistry()
	s, err := policy.Open(policy.SourceOptions{Path: file, Registerer: registry})
	if err != nil {
		t.Fatal(err)
	}
	first := s.Current()
	if err := s.Reload(); err != nil || s.Current() != first {
		t.Errorf("the same text again: %v, or another snapshot", err)
	}
	write(t, file, "limits: []")
	var faults policy.Faults
	for range 2 { // whoever asks is told, each time
		if err := s.Reload(); !errors.As(err, &faults) || s.Current() != first {
			t.Errorf("a faulty text: %v, or another snapshot", err)
		}
	}
	write(t, file, fmt.Sprintf(small, 2))
	if err := s.Reload(); err != nil || s.Current().Scenes["login"].Attempts != 2 || first.Scenes["login"].Attempts != 1 {
		t.Errorf("a new text: %v, %v", err, s.Current().Scenes["login"])
	}
	const want = `
# HELP smsd_policy_reloads_total Readings of the policy file after the start, by outcome: applied, unchanged, refused.
# TYPE smsd_policy_reloads_total counter
smsd_policy_reloads_total{outcome="applied"} 1
smsd_policy_reloads_total{outcome="refused"} 2
smsd_policy_reloads_total{outcome="unchanged"} 1
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "smsd_policy_reloads_total"); err != nil {
		t.Error(err)
	}
}

func TestAServiceWithoutAFileHasTheBuiltInPolicy(t *testing.T) {
	t.Parallel()
	s, err := policy.Open(policy.SourceOptions{})
	if err != nil || s.Current().Version != "built-in" || s.Reload() != nil {
		t.Errorf("%v, %v", err, s)
	}
}

// A request that asks once holds one whole policy, however often others are put in force meanwhile.
func TestReadersSeeWholePolicies(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	two := func(n int) string {
		scene := fmt.Sprintf("{code: {attempts: %d}, templates: {en: \"{{.Code}}\"}}", n)
		return "scenes:\n  a: " + scene + "\n  b: " + scene + "\n"
	}
	write(t, file, two(1))
	s, err := policy.Open(policy.SourceOptions{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if p := s.Current(); p.Scenes["a"].Attempts != p.Scenes["b"].Attempts {
					t.Error("a snapshot of two versions")
					return
				}
			}
		})
	}
	for n := range 50 {
		write(t, file, two(1+n%20))
		if err := s.Reload(); err != nil {
			t.Error(err)
		}
	}
	close(done)
	readers.Wait()
}

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
