package bench

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"
)

// offeredRates are the sends a second whose latency is measured with records and without.
var offeredRates = []float64{1000, 2000, 5000}

// offering is one cell of the table: sends at a rate to an instance that keeps its records somewhere, or keeps none.
type offering struct {
	*service
	records  string
	rate     float64
	seen     histogram // of the spans that were carried through
	answered []float64 // sends a second, of those spans
	failed   int       // spans in which a send was not accepted, since its row was not written in seconds
}

// TestRecords measures the latency that records add to sends, at the same rates whatever the machine carries.
func TestRecords(t *testing.T) {
	measuring(t)
	table := offerings(t, offeredRates...)
	for range upTo(*repeats, *briefly) {
		for _, o := range table {
			if err := o.offer(*offered); err != nil {
				fmt.Printf("%.0f sends a second, records=%s: %v\n", o.rate, o.records, err)
			}
			o.print(os.Stdout)
		}
	}
	printOfferings(os.Stdout, table)
}

// offerings starts an instance on Redis for each place of records, and offers each rate to one after the other.
func offerings(t testing.TB, rates ...float64) (table []*offering) {
	t.Helper()
	r, seven := startRedis(t), policyFile(t, sevenRules)
	none, sqlite := onRedis(t, r, "none", seven, unrecorded), onRedis(t, r, "sqlite", seven)
	postgres := onPostgres(t, r, startPostgres(t), "postgres", seven)
	none.recorded = false
	warm(none, sqlite, postgres)
	for _, rate := range rates {
		table = append(table, &offering{service: none, records: "none", rate: rate},
			&offering{service: sqlite, records: "sqlite", rate: rate}, &offering{service: postgres, records: "postgres", rate: rate})
	}
	return table
}

// manyConnections is more than elsewhere: with so many, 5,000 sends a second may each wait for the disk for 100 ms.
const manyConnections = 8 * connections

// offer offers the rate for a span of time, and waits until what is written afterwards is written too.
func (o *offering) offer(span time.Duration) error {
	l, err := connect(o.API, manyConnections)
	if err != nil {
		return err
	}
	defer l.close()
	requests, seen, before := o.sends(max(1, int(o.rate*span.Seconds()))), histogram{}, o.written()
	began := time.Now()
	if err := l.offer(requests, o.rate, &seen); err != nil {
		o.failed++
		return err
	}
	o.answered = append(o.answered, float64(len(requests))/time.Since(began).Seconds())
	o.seen.merge(&seen)
	o.settle(before, len(requests))
	return nil
}

// print writes all spans so far for benchstat.
func (o *offering) print(w io.Writer) {
	fmt.Fprintf(w, "BenchmarkRecords/rate=%.0f/records=%s \t%d\t%.0f answered/s", o.rate, o.records, len(o.answered), median(o.answered))
	for _, q := range quantiles {
		fmt.Fprintf(w, "\t%.0f %s-us", microseconds(o.seen.quantile(q.share)), q.name)
	}
	fmt.Fprintln(w)
}

// printOfferings writes the table, in which none comes before those that it is compared with.
func printOfferings(w io.Writer, table []*offering) {
	fmt.Fprintf(w, "\n| offered/s | records  | answered/s | p50 ms |    p99 |  p99.9 | added to p50 |  to p99 | to p99.9 | failed |\n")
	fmt.Fprintf(w, "|----------:|:---------|-----------:|-------:|-------:|-------:|-------------:|--------:|---------:|-------:|\n")
	var none *offering
	for _, o := range table {
		if o.records == "none" {
			none = o
		}
		fmt.Fprintf(w, "| %9.0f | %-8s | %10.0f |", o.rate, o.records, median(o.answered))
		for _, q := range quantiles {
			fmt.Fprintf(w, " %6.2f |", o.milliseconds(q.share))
		}
		for i, q := range quantiles {
			fmt.Fprintf(w, " %*.2f |", []int{12, 7, 8}[i], o.milliseconds(q.share)-none.milliseconds(q.share))
		}
		fmt.Fprintf(w, " %6d |\n", o.failed)
	}
}

func (o *offering) milliseconds(q float64) float64 { return microseconds(o.seen.quantile(q)) / 1000 }

// Sends are answered wherever records are, and take time.
func TestAFewRecordedSends(t *testing.T) {
	t.Parallel()
	table := offerings(t, 200)
	for _, o := range table {
		if err := o.offer(100 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		o.print(io.Discard)
		if o.seen.quantile(0.5) <= 0 || o.answered[0] <= 0 {
			t.Errorf("records=%s: %v a second, half of all within %s", o.records, o.answered, o.seen.quantile(0.5))
		}
	}
	printOfferings(io.Discard, table)
	if len(table) != 3 {
		t.Errorf("%d places", len(table))
	}
}
