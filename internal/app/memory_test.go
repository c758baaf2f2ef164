package app

import (
	"os"
	"runtime/debug"
	"testing"

	"smsd/internal/config"
	"smsd/internal/secret"
)

// Not parallel: there is one percentage for the process.
func TestTuneMemory(t *testing.T) {
	redis := &config.Config{}
	redis.Redis.URL = secret.New("redis://localhost")
	for name, c := range map[string]struct {
		cfg  *config.Config
		gogc string
		want int
	}{
		"on Redis":              {redis, "", gcPercent},
		"with GOGC":             {redis, "70", 100},
		"stores in the process": {&config.Config{}, "", 100},
	} {
		t.Setenv("GOGC", c.gogc) // so that it is put back
		if c.gogc == "" {
			os.Unsetenv("GOGC")
		}
		before := debug.SetGCPercent(100)
		TuneMemory(c.cfg)
		if got := debug.SetGCPercent(before); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
