package pause_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/pause"
)

func TestPauses(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]struct {
		do          func(context.Context, time.Duration) bool
		least, most time.Duration
	}{
		"for":   {pause.For, time.Minute, time.Minute},
		"about": {pause.About, 30 * time.Second, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				if !wait.do(t.Context(), time.Minute) {
					t.Error("it says that the context has ended")
				}
				if took := time.Since(begun); took < wait.least || took > wait.most {
					t.Errorf("%s, want %s to %s", took, wait.least, wait.most)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				begun = time.Now()
				if wait.do(ctx, time.Minute) || time.Since(begun) != time.Second {
					t.Errorf("it went on for %s after a context of a second", time.Since(begun))
				}
			})
		})
	}
}
