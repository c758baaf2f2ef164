package bench

import (
	"fmt"
	"io"
	"testing"
)

// target is a figure that is asked of the service.
type target struct {
	what  string
	asked float64
	least bool // asked is the least, not the most
	seen  float64
	plain float64 // seen without records
}

func (t target) met() bool {
	if t.least {
		return t.seen >= t.asked
	}
	return t.seen <= t.asked
}

// targets are what is asked of the seven rules on Redis.
func (r *rig) targets() []target {
	all, plain := r.seen(""), r.seen(withoutRecords)
	for i := range all {
		all[i].plain = plain[i].seen
	}
	return all
}

// seen are the targets, and what was seen of them in the rows whose names end so.
func (r *rig) seen(records string) []target {
	of := func(name string) figures { return medians(r.row("store=redis/policy=seven/" + name + records).rounds) }
	send, mix, refused, again := of("send"), of("mix"), of("refused=cooldown"), of("refused=again")
	return []target{
		{what: "accepted sends, of the floor's rate", asked: 0.45, least: true, seen: send.OfFloor},
		{what: "server CPU of an accepted send, µs", asked: 50, seen: send.ServerCPU},
		{what: "Redis CPU of an accepted send, µs", asked: 28, seen: send.RedisCPU},
		{what: "sends and verifies mixed, of the floor's rate", asked: 0.5, least: true, seen: mix.OfFloor},
		{what: "Redis CPU of a refusal in Redis, of an acceptance's", asked: 0.65, seen: refused.RedisCPU / send.RedisCPU},
		{what: "refused again, of the floor's rate", asked: 0.85, least: true, seen: again.OfFloor},
		{what: "refused again, Redis commands", asked: 0.01, seen: again.Commands}, // each refusal is asked again after two seconds
	}
}

func (r *rig) row(name string) *row {
	for _, row := range r.rows {
		if row.name == name {
			return row
		}
	}
	panic("no row " + name)
}

// printAsked writes what is asked beside what was seen.
func (r *rig) printAsked(w io.Writer) {
	fmt.Fprintf(w, "\n| %-51s | asked for     |   seen |        | without records |\n|:%s|:--------------|-------:|:-------|----------------:|\n",
		"on Redis, seven rules", dashes(52))
	for _, t := range r.targets() {
		bound, outcome := "at most ", "missed"
		if t.least {
			bound = "at least"
		}
		if t.met() {
			outcome = "met"
		}
		fmt.Fprintf(w, "| %-51s | %s %-4v | %6.2f | %-6s | %15.2f |\n", t.what, bound, t.asked, t.seen, outcome, t.plain)
	}
}

func TestTargetsAreMetFromTheRightSide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target
		want bool
	}{
		{target{asked: 0.5, least: true, seen: 0.5}, true},
		{target{asked: 0.5, least: true, seen: 0.4}, false},
		{target{asked: 28, seen: 28}, true},
		{target{asked: 28, seen: 29}, false},
	} {
		if c.met() != c.want {
			t.Errorf("%+v: met is %t", c.target, !c.want)
		}
	}
}

func TestMedianIsTheMiddle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   []float64
		want float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{9, 1, 2}, 2}, {[]float64{8, 1, 4, 2}, 3}} {
		if got := median(c.of); got != c.want {
			t.Errorf("of %v: %v, want %v", c.of, got, c.want)
		}
	}
}
