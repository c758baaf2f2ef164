package bench

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// algorithms are what a rule may count by, and how many events each lets through at most in any interval as long as the
// window, for a limit: what the documentation says.
var algorithms = []struct {
	name  string
	is    throttle.Algorithm
	bound func(limit int) int
}{
	{"log", throttle.Log, func(limit int) int { return limit }},
	{"counter", throttle.Counter, func(limit int) int { return 2*limit - 1 }},
	{"bucket", throttle.Bucket, func(limit int) int { return 2*limit - 1 }},
	{"fixed", throttle.Fixed, func(limit int) int { return 2*limit - 1 }},
}

// searched is the window that is searched in: every algorithm scales with it.
const searched = time.Minute

// finding is the worst that was found for an algorithm and a limit.
type finding struct {
	algorithm    string
	limit, bound int
	memstore     int // events in one window
	redis        int // the same schedule's there
	plays        int
}

// TestWindows plays the adversary: by schedules made by hand and by a search, it looks for the one that gets the most
// events into one window.
func TestWindows(t *testing.T) {
	measuring(t)
	printFindings(os.Stdout, findings(t, 8000, 5, 10, 50))
}

// findings searches each algorithm at each limit, with so many plays divided by the limit, and plays the best of them against Redis.
func findings(t testing.TB, plays int, limits ...int) (all []finding) {
	t.Helper()
	w := startRedis(t)
	for _, a := range algorithms {
		for _, limit := range limits {
			rule := throttle.Rule{Name: "rule", By: []throttle.Kind{throttle.Phone}, Limit: int64(limit), Window: searched, Algorithm: a.is}
			compiled, err := throttle.Compile([]throttle.Rule{rule}, []string{"login"})
			if err != nil {
				t.Fatal(err)
			}
			f := finding{algorithm: a.name, limit: limit, bound: a.bound(limit), plays: plays / limit}
			best := search(newArena(t, inProcess, compiled), limit, f.plays)
			f.memstore = newArena(t, inProcess, compiled).play(best)
			f.redis = newArena(t, inRedis(t, w.url), compiled).play(best)
			w.empty()
			all = append(all, f)
		}
	}
	return all
}

func printFindings(w io.Writer, all []finding) {
	for _, f := range all {
		fmt.Fprintf(w, "BenchmarkWindow/algorithm=%s/limit=%d \t%d\t%d worst-events\n", f.algorithm, f.limit, f.plays, f.memstore)
	}
	fmt.Fprintf(w, "\n| %-9s | limit | most in one window, found | in Redis | at most, as published |\n", "algorithm")
	fmt.Fprintf(w, "|:%s|------:|--------------------------:|---------:|----------------------:|\n", dashes(10))
	for _, f := range all {
		fmt.Fprintf(w, "| %-9s | %5d | %25d | %8d | %21d |\n", f.algorithm, f.limit, f.memstore, f.redis, f.bound)
	}
}

// No algorithm lets more through than is published, both stores the same; and the adversary is good enough to come close.
func TestNoWindowHoldsMoreThanIsPublished(t *testing.T) {
	t.Parallel()
	for _, f := range findings(t, 1500, 5) {
		if f.memstore > f.bound || f.redis != f.memstore {
			t.Errorf("%+v", f)
		}
		if f.memstore < f.bound-1 {
			t.Errorf("%+v: the search finds no more", f)
		}
	}
}

// search returns the schedule that got the most into one window: one made by hand, or what random changes made of it.
// It is the same each time.
func search(a *arena, limit, plays int) schedule {
	random := rand.New(rand.NewPCG(1, 2))
	known := handmade(limit)
	best, most := known[0], 0
	for n := range plays {
		tried := schedule{}
		switch {
		case n < len(known):
			tried = known[n]
		case n%3 == 0:
			tried = known[random.IntN(len(known))].changed(random, limit)
		default:
			tried = best.changed(random, limit)
		}
		if got := a.play(tried); got > most || got == most && n >= len(known) && random.IntN(4) == 0 {
			best, most = tried, got
		}
	}
	return best
}
