package app

import (
	"os"
	"runtime/debug"

	"smsd/internal/config"
)

// gcPercent lets the heap grow to five times what is live before it is collected, not to twice. What an instance
// on Redis holds is small and bounded, so that this is tens of megabytes for a tenth of the CPU time of a send.
const gcPercent = 400

// TuneMemory sets how often this process collects its garbage, as a program does once that runs one instance. Who
// sets GOGC is obeyed; a GOMEMLIMIT holds either way. With the stores in the process it changes nothing: there
// the heap is as large as what is counted.
func TuneMemory(cfg *config.Config) {
	if _, given := os.LookupEnv("GOGC"); !given && !cfg.Embedded() {
		debug.SetGCPercent(gcPercent)
	}
}
