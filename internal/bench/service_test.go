package bench

import (
	"flag"
	"io"
	"os"
	"regexp"
	"testing"
	"time"
)

// The flags. Without -service the benchmark is skipped: it is no test.
var (
	measured = flag.Bool("service", false, "measure the whole service")
	requests = flag.Int("requests", 8000, "requests of a round")
	only     = flag.String("rows", "", "measure the rows whose names match; the targets need them all")
	rounds   = flag.Int("rounds", 7, "rounds of each row")
	longest  = flag.Duration("longest", 75*time.Second, "begin no round later than this")
)

// TestService is what make bench runs.
func TestService(t *testing.T) {
	if !*measured {
		t.Skip("make bench runs it")
	}
	r := newRig(t)
	r.keep(regexp.MustCompile(*only))
	began := time.Now()
	r.printMachine(os.Stdout)
	for i := range *rounds {
		if i > 0 && time.Since(began) > *longest {
			break
		}
		if err := r.round(*requests); err != nil {
			t.Fatal(err)
		}
		r.printLines(os.Stdout, *requests)
	}
	r.printTable(os.Stdout)
	if *only == "" {
		r.printAsked(os.Stdout)
	}
}

// What make bench needs still works: every row is answered as it must be, and figures are there.
func TestOneSmallRound(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const few = 2 * connections
	if err := r.round(few); err != nil {
		t.Fatal(err)
	}
	r.printMachine(io.Discard)
	r.printLines(io.Discard, few)
	r.printTable(io.Discard)
	r.printAsked(io.Discard)
	for _, row := range r.rows {
		f := row.rounds[0]
		if f.Rate <= 0 || f.OfFloor <= 0 || f.ServerCPU <= 0 || f.Allocs <= 0 {
			t.Errorf("%s: %+v", row.name, f)
		}
	}
}
