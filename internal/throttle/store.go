package throttle

import (
	"context"
	"sync"
	"time"
)

// Store counts. It is the driver below [Limiter]: it knows keys and plans, no subjects and no rules'
// names. Implementations are safe for concurrent use, own the clock, never depend on a key having
// expired, and return an error that unwraps to [ErrUnavailable] when they cannot tell. None retries a
// call that may have been executed.
//
// # What a key holds
//
// For each [Event] a section of log entries, oldest first: the millisecond, the reservation id, the
// mark. For each Counter cell, by its Slot, a record: window, start, current and previous count.
//
// # How a cell is read
//
// An instant in the future (the clock has stepped back) counts as now, and a record that starts in
// the future starts now.
//
// Log: used is the number of entries of the cell's section later than now-Window, and, where Mark is
// not 0, so marked. It refuses if used >= Limit; the wait is the Limit-th newest of them + Window - now.
//
// Counter: the record is rolled first: with a Window other than the cell's, the current estimate,
// rounded up, becomes the previous count of a bucket that starts now (so nobody waits longer than
// the new window); with one whole window elapsed, current becomes previous; with two or more, both
// are 0 and the bucket starts now. A record that is missing is one that starts now with zeroes.
// With r = Window left in the bucket, c the current and p the previous count, used is
// c + ceil(p*r/Window); it refuses if p*r > (Limit-1-c)*Window; the wait is, for c < Limit,
// ceil((p*r - (Limit-1-c)*Window)/p), else r + ceil((c-(Limit-1))*Window/c).
type Store interface {
	// Take reads the clock once, evaluates every cell of every group and, if no cell of an enforced
	// plan refuses (or t.Force), charges all cells that Charge, in one atomic step; otherwise it changes
	// nothing (but may replace stored instants more than a second ahead of the clock by now).
	// Cells of a Shadow plan never refuse the event; one that would have is not charged.
	//
	// Charging an enforced group appends one entry (now, ID, plan's Mark) to each section of which a Log
	// cell charges; charging a Shadow group, one entry (now, ID, cell's Mark) for each Log cell; both
	// add one to the record of each Counter cell. Entries older than the plan's Retain are dropped, and a section of more
	// than MaxEntries keeps only what the plan's cells can still read.
	Take(ctx context.Context, t Take) (Taken, error)
	// Peek is Take that charges nothing and answers Verdicts as they stand.
	Peek(ctx context.Context, t Take) (Taken, error)
	// Refund gives back what Take charged to the given groups: log entries by id, so that twice is
	// once; counter records by taking one from the bucket that At fell in, never below 0 and at most
	// once per call. Where there is no key it makes none.
	Refund(ctx context.Context, r Refund) error
	// Reset removes every key with one of the tags, shadow ones too.
	Reset(ctx context.Context, tags ...Tag) error
}

// MaxEntries is how many entries a section may hold before it is compacted. Compaction keeps the
// newest L overall, L the largest Limit of the plan's unmarked Log cells of the section, and the
// newest K of each mark, K the largest Limit of its marked ones.
const MaxEntries = 128

// Tag groups keys that are decided together: a cluster keeps them in one slot.
// 16 bytes of a keyed hash in unpadded base64url.
type Tag string

// Key names one counted subject. It holds nothing personal.
type Key struct {
	Tag Tag
	// Name tells the keys of a tag apart: [a-z+~] and base64url.
	Name string
}

// Take asks whether one event may happen now.
type Take struct {
	// ID identifies the reservation in log entries; random.
	ID     uint32
	Groups []Group
	// Force charges without asking (a Guess, which has happened already).
	Force bool
}

// Group is one key with the plan by which it is read and charged.
type Group struct {
	Key  Key
	Plan *Plan
}

// Verdict is one cell's answer: after the charge if the event was allowed, as it stands otherwise.
type Verdict struct {
	Used int64
	// Wait is how long until one more event could pass the cell, whole milliseconds; 0: now.
	Wait time.Duration
	// Refused says that this cell would not have let the event pass (in a Shadow plan too).
	Refused bool
}

// Taken is a store's answer.
type Taken struct {
	// Allowed says that every cell of the enforced plans let the event pass, and so that it was charged
	// (Take), or would have been (Peek). Always true with Force.
	Allowed bool
	// At is the store's clock, whole milliseconds, UTC.
	At time.Time
	// Verdicts stand in the order of the groups and, within each, of the plan's cells.
	Verdicts []Verdict
}

// Refund names what is given back: some groups of a Take that was allowed.
type Refund struct {
	ID     uint32
	At     time.Time
	Groups []Group
}

// Plan is what one key is asked about one event: compiled once per policy version, immutable.
type Plan struct {
	Cells []Cell
	// Mark goes on the entry of enforced Log cells: the hash of the event's scene, never 0.
	Mark uint16
	// Shadow says that the key belongs to rules in Shadow mode alone, which so never touch an
	// enforced count; each Log cell of it has a Mark of its own.
	Shadow bool
	// Retain is how long each section's entries may still be read by any plan of the policy
	// version for this kind of key: the longest window.
	Retain [Events]time.Duration
	// Keep bounds compaction for each section, over all plans of this kind of key.
	Keep [Events]Keep
	// TTL is how long the key may still matter after a write: the largest of Retain, and twice the
	// window of a Counter (whole milliseconds).
	TTL time.Duration

	encode  sync.Once
	encoded any
}

// Encoded returns what encode makes of p, made once. A plan is used with one store, so with one encode.
func (p *Plan) Encoded(encode func(*Plan) any) any {
	p.encode.Do(func() { p.encoded = encode(p) })
	return p.encoded
}

// Keep says how many of a section's newest entries rules can still read.
type Keep struct {
	All     int // overall
	PerMark int // of each mark
}

// Cell is one rule as a store sees it.
type Cell struct {
	Section   Event
	Algorithm Algorithm // Log or Counter
	Limit     int64
	Window    time.Duration // whole milliseconds
	// Mark is 0 for every entry of the section, else the mark that an entry must carry.
	Mark uint16
	// Slot names a Counter's record within its key.
	Slot uint32
	// Charge says that the event is counted; a Guess cell at a Send is only asked.
	Charge bool
}
