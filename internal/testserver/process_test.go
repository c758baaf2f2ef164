package testserver

import (
	"runtime"
	"testing"
)

// verdict stands in for a test that looks for a program, and notes how it ended.
type verdict struct {
	testing.TB
	skipped, failed bool
}

func (v *verdict) Helper()               {}
func (v *verdict) Skipf(string, ...any)  { v.skipped = true; runtime.Goexit() }
func (v *verdict) Fatalf(string, ...any) { v.failed = true; runtime.Goexit() }

// A machine without the program skips; where servers are required, that is a failure.
func TestMissingProgram(t *testing.T) {
	for required, wantFailed := range map[string]bool{"": false, "0": false, "1": true} {
		t.Setenv("SMSD_REQUIRE_SERVERS", required)
		v := &verdict{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			lookFor(v, "a-program-that-nobody-has")
		}()
		<-done
		if v.failed != wantFailed || v.skipped == wantFailed {
			t.Errorf("SMSD_REQUIRE_SERVERS=%q: failed %v, skipped %v", required, v.failed, v.skipped)
		}
	}
}
