package app

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// full says that the loads asked of a release are put on, and that the bounds on time hold: on a machine that
// does nothing else, and without the race detector (SMSD_FULL=1 go test -run ... -v ./internal/app). Otherwise the same is
// done with less, and no bound depends on the machine's speed.
func full() bool { return os.Getenv("SMSD_FULL") == "1" }

// fullOr returns what is asked of a release, or else what every run can do.
func fullOr[T any](asked, small T) T {
	if full() {
		return asked
	}
	return small
}

// openLoop makes calls at a rate, whether or not those before have been answered, until during is over, and
// returns all answers. watch, if not nil, is called meanwhile.
func openLoop(rate int, during time.Duration, call func(i int) answer, watch func()) []answer {
	const tick = 10 * time.Millisecond
	answers := make([]answer, int(during.Seconds()*float64(rate)))
	began, made := time.Now(), 0
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var all sync.WaitGroup
	for ; made < len(answers); <-ticker.C {
		due := min(len(answers), int(time.Since(began).Seconds()*float64(rate)))
		for i := made; i < due; i++ {
			all.Go(func() { answers[i] = call(i) })
		}
		made = due
		if watch != nil {
			watch()
		}
	}
	all.Wait()
	return answers
}

// usage is what the process has needed at the most.
type usage struct {
	goroutines int
	heap       uint64
}

// note looks again.
func (u *usage) note() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.goroutines, u.heap = max(u.goroutines, runtime.NumGoroutine()), max(u.heap, m.HeapAlloc)
}

// settled is what is needed when nothing is under way.
func settled() usage {
	return usage{runtime.NumGoroutine(), heap()}
}

// percentiles returns how long the median, 99 in 100, and the slowest of the answers took.
func percentiles(answers []answer) (p50, p99, longest time.Duration) {
	took := make([]time.Duration, len(answers))
	for i, a := range answers {
		took[i] = a.took
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
}

func outcomes(answers []answer) map[string]int {
	tally := map[string]int{}
	for _, a := range answers {
		tally[a.outcome()]++
	}
	return tally
}

// logTimes writes the figures into the test's log.
func logTimes(t *testing.T, what string, answers []answer) {
	t.Helper()
	p50, p99, longest := percentiles(answers)
	t.Logf("%s: %d answers %v; p50 %s, p99 %s, longest %s", what, len(answers), outcomes(answers),
		p50.Round(time.Microsecond), p99.Round(time.Microsecond), longest.Round(time.Microsecond))
}
