package throttle

import (
	"context"
	"sync"
	"time"
)

// Store counts. It is the driver below [Limiter]: it knows keys and plans, no subjects and no rules'
// names. Implementations are safe for concurrent use, own the clock, never depend on a key having
// expired, and return an error that unwraps to [ErrUnavailable] when they cannot tell. None retries a
// call that may have been executed. All instants and windows are whole milliseconds.
//
// # What a key holds
//
// For each [Event] a section of log entries, oldest first: the millisecond, the reservation id, the
// mark. For each Counter cell, by its Slot, a record: window, start, current and previous count.
// Counts stop at [MaxCount].
//
// # How a cell is read
//
// An instant in the future (the clock has stepped back) counts as now, and a record that starts in
// the future starts now. Since writing replaces such instants too, a section's entries always stand
// in the order of their instants.
//
// Log: used is the number of entries of the cell's section later than now-Window, and, where Mark is
// not 0, so marked. It refuses if used >= Limit; the wait is the Limit-th newest of them + Window - now.
//
// Counter: the record is rolled first, by its own window W: with one whole W elapsed since its start,
// current becomes previous, current 0, and the start moves on by W; with two or more it is dead, as if
// there were none. If W is not the cell's Window, the estimate current + ceil(previous*r/W) becomes the
// previous count of a bucket of the cell's Window that starts now, with current 0: so nobody waits
// longer than the new window. With r = Window left in the bucket, c the current and p the previous
// count, used is c + ceil(p*r/Window); it refuses if p*r > (Limit-1-c)*Window; the wait is, for c < Limit,
// ceil((p*r - (Limit-1-c)*Window)/p), else r + ceil((c-(Limit-1))*Window/c).
//
// A rule whose algorithm has changed finds what the other one left. A Counter cell without a live
// record is read like a Log cell (used, refusal and wait); the record that a charge then makes starts
// now, with current 1 and the entries so counted as previous. A Log cell with a live record under its
// Slot reads that too, like a Counter cell: it refuses if either does, with the larger used and the
// longer wait. It never charges it, so the record dies.
//
// # What is written
//
// A key is written if a cell of it is charged; and, charged or not, refused or not (but never by Peek),
// if a cell reads a live record of another window, which is then kept in the cell's, or if an instant that
// the plan reads is in the future. Otherwise a wait would not keep its word. Either way
// future instants that the plan reads are replaced by now: those of every section that one
// of its cells names, and the start of every record that one of its cells names by Slot.
//
// Charging a key does, in this order:
//  1. Dead records are dropped, and sections whose newest entry is not later than now-TTL are emptied.
//  2. One entry is appended to each section of which a Log cell charges, (now, ID, the plan's Mark); in
//     a Shadow plan, one for each Log cell that is charged, (now, ID, the cell's Mark). Before that, the
//     section's entries not later than now-Retain are dropped; after it, a section of more than
//     [MaxEntries] is compacted: an entry stays that has fewer than Keep.All newer ones, or
//     fewer than Keep.PerMark newer ones of its own mark. Other sections stay as they are.
//  3. One is added to the current count of the record, rolled, of each Counter cell that is charged.
type Store interface {
	// Take reads the clock once, evaluates every cell of every group and, if no cell of an enforced
	// plan refuses (or t.Force), charges all cells that Charge, in one atomic step; otherwise it charges
	// nothing. Cells of a Shadow plan never refuse the event; one that would have is not charged (with
	// t.Force it is). A store that is full leaves out groups of Shadow plans rather than fail.
	//
	// A store of several servers has one such step for each Tag, all at once, and when one of them refuses or fails it
	// gives back what the others have granted: meanwhile these may refuse others, and never does more pass than may.
	//
	// A store that knows how to do t.Errand may do it in the same step as the charge, and says so in the
	// answer; another one leaves it alone, as does one that can't do it now. A take that was refused, came late
	// or failed before it was executed leaves nothing of the errand.
	Take(ctx context.Context, t Take) (Taken, error)
	// Peek is Take that writes nothing and answers Verdicts as they stand.
	Peek(ctx context.Context, t Take) (Taken, error)
	// Refund gives back what Take charged to the given groups. In each section of which a Log cell
	// charges, the entries with the id go, so that twice is once. From the record of each Counter cell that
	// was charged, as it is stored and whatever its window, one is taken: from current if At is not
	// before its start, else from previous if At is not before start - window, never below 0, and at most
	// once per call. Where there is no key or no record it makes none.
	Refund(ctx context.Context, r Refund) error
	// Reset removes every key with one of the tags, shadow ones too.
	Reset(ctx context.Context, tags ...Tag) error
}

// MaxEntries is how many entries a section may hold before it is compacted.
const MaxEntries = 128

// MaxCount is where a Counter's counts stop: charges by force may pass any limit, and products with
// MaxWindow must stay below 2^53.
const MaxCount = 2 * MaxLimit

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
	// Errand is what the caller would do next in the same place, if the event is allowed: a store that shares the
	// place may know what it is. Nil: nothing. There is none with Force, and Peek leaves every one alone.
	Errand any
}

// Group is one key with the plan by which it is read and charged. The keys of one call differ.
type Group struct {
	Key  Key
	Plan *Plan
}

// Verdict is one cell's answer: after the charge if the event was allowed, as it stands otherwise.
type Verdict struct {
	Used int64
	// Wait is how long until one more event could pass the cell, whole milliseconds; 0: now.
	Wait time.Duration
	// Refused says that this cell would not have let the event pass, before any charge (in a Shadow
	// plan and with Force too).
	Refused bool
}

// Taken is a store's answer.
type Taken struct {
	// Allowed says that every cell of the enforced plans let the event pass, and so that it was charged
	// (Take), or would have been (Peek). Always true with Force.
	Allowed bool
	// ErrandDone says that the Take's Errand was done, at At.
	ErrandDone bool
	// At is the store's clock, whole milliseconds, UTC; of several, the one that is furthest ahead.
	At time.Time
	// GroupAt is At for each group, where keys are on servers with clocks of their own; nil: it is At for all.
	GroupAt []time.Time
	// Verdicts stand in the order of the groups and, within each, of the plan's cells.
	Verdicts []Verdict
}

// Refund names what is given back: some groups of a Take that was allowed.
type Refund struct {
	ID     uint32
	At     time.Time // of the Taken
	Groups []Group
	// GroupAt is that of the Taken, for each of Groups; nil: it is At for all.
	GroupAt []time.Time
	// Uncharged names the cells that Charge but were not charged: those of Shadow plans that would have
	// refused. In the order of Groups, and of the cells within each; nil: all were charged.
	Uncharged []bool
}

// Plan is what one key is asked about one event: compiled once per policy version, immutable.
type Plan struct {
	Cells []Cell
	// Mark goes on the entry of enforced Log cells: the hash of the event's scene, never 0.
	Mark uint16
	// Shadow says that the key belongs to rules in Shadow mode alone, which so never touch an
	// enforced count; each Log cell of it has a Mark of its own.
	Shadow bool
	// Retain is how long each section's entries may still be read by a Log cell of any plan of the
	// policy version for this kind of key: the longest window.
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
	// Slot names a Counter's record within its key; a Log cell's names what it left when it was one.
	Slot uint32
	// Charge says that the event is counted; a Guess cell at a Send is only asked.
	Charge bool
}
