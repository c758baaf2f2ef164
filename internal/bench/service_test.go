package bench

import (
	"flag"
	"io"
	"iter"
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
	longest  = flag.Duration("longest", 150*time.Second, "begin no round later than this")
)

// measuring skips what is no test, and says where it is measured.
func measuring(t testing.TB) {
	if !*measured {
		t.Skip("make bench runs it")
	}
	printMachine(os.Stdout)
}

// upTo yields 0, 1, and so on up to times, but once at least, and nothing more when so long has gone by.
func upTo(times int, longest time.Duration) iter.Seq[int] {
	return func(yield func(int) bool) {
		began := time.Now()
		for i := 0; i < times && (i == 0 || time.Since(began) <= longest) && yield(i); i++ {
		}
	}
}

// TestService measures every row beside the floor.
func TestService(t *testing.T) {
	measuring(t)
	r := recordedRig(t)
	r.keep(regexp.MustCompile(*only))
	for range upTo(*rounds, *longest) {
		if err := r.round(*requests); err != nil {
			t.Fatal(err)
		}
		r.printLines(os.Stdout, *requests)
	}
	r.printTable(os.Stdout)
	r.printAdditions(os.Stdout)
	if *only == "" {
		r.printAsked(os.Stdout)
	}
}

// What make bench needs still works: every row is answered as it must be, and figures are there.
func TestOneSmallRound(t *testing.T) {
	t.Parallel()
	r := recordedRig(t)
	const few = 2 * connections
	if err := r.round(few); err != nil {
		t.Fatal(err)
	}
	printMachine(io.Discard)
	r.printLines(io.Discard, few)
	r.printTable(io.Discard)
	r.printAdditions(io.Discard)
	r.printAsked(io.Discard)
	for _, row := range r.rows {
		f := row.rounds[0]
		if f.Rate <= 0 || f.OfFloor <= 0 || f.ServerCPU <= 0 || f.Allocs <= 0 {
			t.Errorf("%s: %+v", row.name, f)
		}
		row.checkRecords(t)
	}
}
