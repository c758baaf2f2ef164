package bench

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// The pools and the callers that the table is about.
var (
	poolSizes   = []int{1, 2, 4, 8, 16, 32}
	poolCallers = []int{64, 256}
)

// pooled is an instance with a pool of some size, asked by so many callers, each of whom asks again as soon as it is
// answered.
type pooled struct {
	*service
	size, callers int
	rounds        []figures
	seen          *histogram
}

// TestPool measures accepted sends with connections to Redis of several numbers.
func TestPool(t *testing.T) {
	measuring(t)
	cells := pools(t, poolSizes, poolCallers)
	for range upTo(*repeats, *briefly) {
		for _, c := range cells {
			if err := c.round(*requests / 4); err != nil {
				t.Fatal(err)
			}
			c.print(os.Stdout, *requests/4)
		}
	}
	printPools(os.Stdout, cells)
}

// pools starts an instance for each size, all on one Redis.
func pools(t testing.TB, sizes, callers []int) (cells []*pooled) {
	t.Helper()
	r, seven := startRedis(t), policyFile(t, sevenRules)
	for _, size := range sizes {
		settings := append(append(common(t), production(r.url, fmt.Sprintf("pool%d", size))...), seven)
		settings = append(settings, fmt.Sprintf("SMSD_REDIS_POOL_SIZE=%d", size))
		s := &service{instance: start(t, roleSMSD, settings...), redis: servers{r}}
		warm(s)
		for _, n := range callers {
			cells = append(cells, &pooled{service: s, size: size, callers: n, seen: &histogram{}})
		}
	}
	return cells
}

// round measures n sends.
func (c *pooled) round(n int) error {
	f, err := measureBy(c.callers, c.service, c.sends(n), c.seen)
	c.rounds = append(c.rounds, f)
	return err
}

// print writes the newest round for benchstat.
func (c *pooled) print(w io.Writer, n int) {
	f := c.rounds[len(c.rounds)-1]
	fmt.Fprintf(w, "BenchmarkPool/size=%d/callers=%d \t%d\t%.0f req/s\t%.1f server-us/op\t%.1f redis-us/op\t%.2f redis-reads/op\n",
		c.size, c.callers, n, f.Rate, f.ServerCPU, f.RedisCPU, f.Reads)
}

func printPools(w io.Writer, cells []*pooled) {
	fmt.Fprint(w, "\n| connections | callers | sends/s | server µs | Redis µs | reads | p50 ms | p99 ms |\n")
	fmt.Fprint(w, "|------------:|--------:|--------:|----------:|---------:|------:|-------:|-------:|\n")
	for _, c := range cells {
		f := medians(c.rounds)
		fmt.Fprintf(w, "| %11d | %7d | %7.0f | %9.1f | %8.1f | %5.2f | %6.2f | %6.2f |\n", c.size, c.callers, f.Rate, f.ServerCPU, f.RedisCPU, f.Reads,
			microseconds(c.seen.quantile(0.5))/1000, microseconds(c.seen.quantile(0.99))/1000)
	}
}

// Pools of one connection and of several answer all callers.
func TestSmallPools(t *testing.T) {
	t.Parallel()
	cells := pools(t, []int{1, 4}, []int{2, 8})
	for _, c := range cells {
		if err := c.round(connections); err != nil {
			t.Fatal(err)
		}
		c.print(io.Discard, connections)
		if c.rounds[0].Rate <= 0 || c.seen.quantile(0.99) <= 0 {
			t.Errorf("%d connections, %d callers: %+v", c.size, c.callers, c.rounds[0])
		}
	}
	printPools(io.Discard, cells)
}
