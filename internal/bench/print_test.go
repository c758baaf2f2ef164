package bench

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// printMachine writes what the figures depend on. Of what stands in lines of a key and a value, as benchstat's
// configuration does, it compares only runs that have the same: so what changes from run to run stands otherwise.
func printMachine(w io.Writer) {
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: smsd/internal/bench\ncpu: %s\ncores: %d\n", runtime.GOOS, runtime.GOARCH, cpuName(), runtime.NumCPU())
	fmt.Fprintf(w, "Unit req/s better=higher\nUnit of-floor better=higher\n")
	fmt.Fprintf(w, "Measured at %s with %s, load average %s\n", time.Now().UTC().Format(time.RFC3339), runtime.Version(), loadAverage())
}

func cpuName() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // elsewhere than on Linux there is none
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

// printLines writes the newest round in the Go benchmark format: one line a row, so that benchstat sees how
// far rounds lie apart.
func (r *rig) printLines(w io.Writer, n int) {
	printLine(w, "floor", 2*n, r.floorRounds[len(r.floorRounds)-1])
	for _, row := range r.rows {
		printLine(w, row.name, n, row.rounds[len(row.rounds)-1])
	}
}

func printLine(w io.Writer, name string, n int, f figures) {
	fmt.Fprintf(w, "BenchmarkService/%s \t%d\t%.0f ns/op\t%.0f req/s\t%.3f of-floor\t%.1f server-us/op\t%.1f redis-us/op\t%.2f redis-cmds/op\t%.2f redis-reads/op\t%.0f redis-B/op\t%.1f allocs/op\t%.1f database-us/op\t%.2f rows/op\n",
		name, n, 1e9/f.Rate, f.Rate, f.OfFloor, f.ServerCPU, f.RedisCPU, f.Commands, f.Reads, f.Bytes, f.Allocs, f.DatabaseCPU, f.Rows)
}

// printTable writes the medians.
func (r *rig) printTable(w io.Writer) {
	fmt.Fprintf(w, "\n| %-58s | requests/s | of floor | server µs | Redis µs | database µs | commands | reads | Redis B | allocs | rows |\n", "medians")
	fmt.Fprintf(w, "|:%s|-----------:|---------:|----------:|---------:|------------:|---------:|------:|--------:|-------:|-----:|\n", dashes(59))
	printMedians(w, "floor", medians(r.floorRounds))
	for _, row := range r.rows {
		printMedians(w, row.name, medians(row.rounds))
	}
	fmt.Fprintf(w, "\n%d rounds; Redis %s; load average at the end: %s\n", len(r.rows[0].rounds), r.redis.version(), loadAverage())
}

func printMedians(w io.Writer, name string, f figures) {
	fmt.Fprintf(w, "| %-58s | %10.0f | %8.2f | %9.1f | %8.1f | %11.1f | %8.1f | %5.2f | %7.0f | %6.0f | %4.2f |\n",
		name, f.Rate, f.OfFloor, f.ServerCPU, f.RedisCPU, f.DatabaseCPU, f.Commands, f.Reads, f.Bytes, f.Allocs, f.Rows)
}

func dashes(n int) string { return strings.Repeat("-", n) }
