package records

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds of the decision log. A refusal costs its client nothing, so the log must cost us little.
const (
	// fullRows are the rows that a subject's attempts have each for itself in a span of fullSpan seconds; further
	// ones are folded.
	fullRows = 5
	fullSpan = 10
	// DefaultDecisionRate bounds rows of attempts at will: with what networks add, 55 a second are 4.8 million a
	// day, some 2.5 GB with indexes, while somebody floods us all day long from ever new numbers and addresses.
	DefaultDecisionRate = 50
	// decisionBurst are rows at once: ten thousand people who are refused have theirs.
	decisionBurst = 10_000
	// networkShare is what of the rate and the burst rows of networks have besides.
	networkShare = 10
	// maxDecisions bounds the rows that wait, of some 400 bytes each.
	maxDecisions = 20_000
	// maxSorts bounds what is folded by rule alone in a second: apps times rules times outcomes.
	maxSorts = 1024
)

// decisions holds attempts until they are written. Safe for concurrent use.
type decisions struct {
	now     func() time.Time
	metrics *metrics
	wake    chan struct{} // has an element where rows fill a batch

	mu     sync.Mutex
	quotas [byRule]quota // of subjects and of networks
	rows   []kept        // complete, oldest first
	second int64         // of the cells
	cells  map[cellKey]int
	open   []kept // what the cells stand for
	sorts  map[sort]int
	span   int64 // of the tallies
	tally  map[subject]int
}

// kept is an attempt, the latest of those that its row stands for.
type kept struct {
	Attempt
	folded int64
	by     level
}

func newDecisions(o Options, m *metrics) *decisions {
	return &decisions{
		now: o.Now, metrics: m, wake: make(chan struct{}, 1),
		quotas: [byRule]quota{
			bySubject: {rows: rate.NewLimiter(rate.Limit(o.DecisionRate), decisionBurst)},
			byNetwork: {rows: rate.NewLimiter(rate.Limit(o.DecisionRate/networkShare), decisionBurst/networkShare)},
		},
		cells: map[cellKey]int{}, sorts: map[sort]int{}, tally: map[subject]int{},
	}
}

// Decide logs an attempt. It does no I/O and never waits for any: the row is written within some seconds, unless a flood
// or a database that is away for long left no room. Attempts at will are folded: of each subject five in ten seconds have
// rows of their own, and of further ones the latest of each rule and second, which counts the others. Beyond what the
// options allow a second they are folded by network, and then by rule alone.
func (b *Book) Decide(a Attempt) { b.decisions.decide(&a) }

func (d *decisions) decide(a *Attempt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !a.AtWill {
		d.keep(kept{Attempt: *a})
		return
	}
	d.turn(a.At)
	s := subjectOf(a)
	if d.inFull(s, a) {
		d.keep(kept{Attempt: *a})
		return
	}
	d.fold(s, a)
}

// keep adds a row that is complete. Where too many wait the oldest goes.
func (d *decisions) keep(k kept) {
	if len(d.rows) >= maxDecisions {
		d.metrics.dropped.WithLabelValues("full").Inc()
		d.rows[0] = kept{}
		d.rows = d.rows[1:]
	}
	if d.rows = append(d.rows, k); len(d.rows) >= maxBatchRows {
		poke(d.wake)
	}
}

// take returns the rows to be written next, at most so many: those that are complete, or all.
func (d *decisions) take(most int, all bool, keys *Keys) []Decision {
	taken := d.pop(most, all)
	rows := make([]Decision, len(taken))
	for i := range taken {
		rows[i] = taken[i].decision(keys)
	}
	return rows
}

func (d *decisions) pop(most int, all bool) []kept {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn(d.now())
	if all {
		d.flush()
	}
	n := min(most, len(d.rows))
	taken := append([]kept(nil), d.rows[:n]...)
	clear(d.rows[:n]) // or they would be held by what is left
	if d.rows = d.rows[n:]; len(d.rows) > 0 {
		poke(d.wake)
	}
	return taken
}
