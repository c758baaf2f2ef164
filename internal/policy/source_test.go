package policy_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/policy"
	"smsd/internal/sms"
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

func TestMetricsAreRegisteredOnce(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	for i, want := range []bool{true, false} {
		if _, err := policy.Open(policy.SourceOptions{Registerer: registry}); (err == nil) != want {
			t.Errorf("source %d: %v", i, err)
		}
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

// iterate PR 1273: what the production profile does not take is refused at a reload as at the start.
func TestAcceptHasASayAtEveryChange(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	write(t, file, fmt.Sprintf(small, 1))
	unwanted := errors.New("test numbers without an end")
	accept := func(p *sms.Policy) error {
		if policy.TestNumbersWithoutEnd(p) > 0 {
			return unwanted
		}
		return nil
	}
	s, err := policy.Open(policy.SourceOptions{Path: file, Accept: accept})
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, fmt.Sprintf(small, 2)+"test_numbers: [{phone: \"+8613800000000\", code: \"0000\"}]\n")
	if err := s.Reload(); !errors.Is(err, unwanted) || s.Current().Scenes["login"].Attempts != 1 {
		t.Errorf("a reload of it: %v", err)
	}
	if _, err := policy.Open(policy.SourceOptions{Path: file, Accept: accept}); !errors.Is(err, unwanted) {
		t.Errorf("a start with it: %v", err)
	}
	never := func(*sms.Policy) error { return unwanted }
	if _, err := policy.Open(policy.SourceOptions{Accept: never}); !errors.Is(err, unwanted) {
		t.Errorf("the built-in policy: %v", err)
	}
}
