package bench

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"testing"
	"time"
)

var (
	offered = flag.Duration("offered", time.Second, "how long requests are offered on a schedule, each time")
	repeats = flag.Int("repeats", 4, "how often each row of the lesser tables is measured")
	briefly = flag.Duration("longest-lesser", 60*time.Second, "begin no repeat of a lesser table later than this")
)

// scheduled are the rows whose latency is measured.
var scheduled = regexp.MustCompile(`^store=(process/policy=seven/send|redis/policy=seven/(send|verify|mix|refused=cooldown|refused=again))$`)

// delays is one row of the table of latencies.
type delays struct {
	name  string
	rates []float64 // requests a second that were offered, each time
	row   histogram
	floor histogram // the floor's at the same rate
}

// TestLatency measures how long answers take when half as many requests come as a row answers at most.
func TestLatency(t *testing.T) {
	measuring(t)
	r := newRig(t)
	r.keep(scheduled)
	r.keep(regexp.MustCompile(*only))
	table, err := r.latencies(os.Stdout, *repeats, *requests/2, *offered)
	if err != nil {
		t.Fatal(err)
	}
	printLatencies(os.Stdout, table)
}

// latencies measures every row several times, in turns, and first of all the floor, beside which it stands itself.
// It writes a line each time.
func (r *rig) latencies(w io.Writer, times, calibrated int, span time.Duration) ([]*delays, error) {
	rows := append([]*row{{name: "floor", on: r.floor, requests: r.floor.sends}}, r.rows...)
	table := make([]*delays, len(rows))
	for i, row := range rows {
		table[i] = &delays{name: row.name}
	}
	for range upTo(times, *briefly) {
		for i, row := range rows {
			d, err := r.delay(row, calibrated, span)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", row.name, err)
			}
			d.print(w)
			table[i].rates = append(table[i].rates, d.rates...)
			table[i].row.merge(&d.row)
			table[i].floor.merge(&d.floor)
		}
	}
	return table, nil
}

// delay finds out how many requests a second the row answers, and offers it, and then the floor, half as many.
func (r *rig) delay(row *row, calibrated int, span time.Duration) (*delays, error) {
	if row.on == r.floor {
		calibrated *= 4 // it is as much faster
	}
	most, err := measure(row.on, row.requests(calibrated))
	if err != nil {
		return nil, err
	}
	rate := most.Rate / 2
	n := max(1, int(rate*span.Seconds()))
	d := &delays{name: row.name, rates: []float64{rate}}
	if err := offerTo(row.on, row.requests(n), rate, &d.row); err != nil {
		return nil, err
	}
	return d, offerTo(r.floor, r.floor.sends(n), rate, &d.floor)
}

// offerTo opens twice as many connections as a load without a schedule: some wait where answers are late.
func offerTo(s *service, requests []request, rate float64, seen *histogram) error {
	l, err := connect(s.API, 2*connections)
	if err != nil {
		return err
	}
	defer l.close()
	return l.offer(requests, rate, seen)
}

// print writes one measurement for benchstat.
func (d *delays) print(w io.Writer) {
	fmt.Fprintf(w, "BenchmarkLatency/%s \t1\t%.0f offered/s", d.name, d.rates[0])
	for _, q := range quantiles {
		fmt.Fprintf(w, "\t%.0f %s-us", microseconds(d.row.quantile(q.share)), q.name)
	}
	fmt.Fprintln(w)
}

var quantiles = []struct {
	name  string
	share float64
}{{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}}

// printLatencies writes what all measurements of a row come to.
func printLatencies(w io.Writer, table []*delays) {
	fmt.Fprintf(w, "\n| %-43s | offered/s | p50 ms |    p99 |  p99.9 | floor's p50 |    p99 |  p99.9 |\n", "at half of its rate, from the schedule on")
	fmt.Fprintf(w, "|:%s|----------:|-------:|-------:|-------:|------------:|-------:|-------:|\n", dashes(44))
	for _, d := range table {
		fmt.Fprintf(w, "| %-43s | %9.0f |", d.name, median(d.rates))
		for _, h := range []*histogram{&d.row, &d.floor} {
			width := 6
			for _, q := range quantiles {
				if h == &d.floor && q.name == "p50" {
					width = 11
				}
				fmt.Fprintf(w, " %*.2f |", width, microseconds(h.quantile(q.share))/1000)
				width = 6
			}
		}
		fmt.Fprintln(w)
	}
}

// Each row is offered requests and answers them, and there are latencies.
func TestALittleLatency(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.keep(scheduled)
	table, err := r.latencies(io.Discard, 1, connections, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	printLatencies(io.Discard, table)
	idle := 0
	for _, d := range table {
		if d.row.quantile(1) == 0 { // a machine so busy that nothing was due within the time
			idle++
			continue
		}
		if d.rates[0] <= 0 || d.row.quantile(0.5) <= 0 || d.floor.quantile(0.999) < d.floor.quantile(0.5) {
			t.Errorf("%s: at %v a second, half of all within %s", d.name, d.rates, d.row.quantile(0.5))
		}
	}
	if len(table) != 7 || idle == len(table) {
		t.Errorf("%d rows, %d of them without a request", len(table), idle)
	}
}
