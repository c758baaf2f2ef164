package policy

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestQuietWaitsForTheLastNoiseButNotForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQuiet(100*time.Millisecond, time.Second)
		start := time.Now()
		for range 3 {
			q.noise()
			time.Sleep(60 * time.Millisecond) // of the bubble's clock
		}
		if <-q.over(); time.Since(start) != 220*time.Millisecond {
			t.Errorf("quiet after %s, want 220ms", time.Since(start))
		}
		q.reset()
		start = time.Now()
		for noisy := true; noisy; {
			q.noise()
			select {
			case <-q.over():
				noisy = false
			case <-time.After(50 * time.Millisecond):
			}
		}
		if time.Since(start) != time.Second {
			t.Errorf("never quiet: read after %s, want 1s", time.Since(start))
		}
	})
}
