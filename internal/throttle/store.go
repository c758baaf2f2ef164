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
// mark; and beside it a shadow section, of what Shadow cells charged. For each cell that counts otherwise, by its Slot, a record: the Algorithm and the Window that it was
// written with, the instant of its start, and
//   - Counter: the current and the previous count;
//   - Fixed: a count;
//   - Bucket: the Limit that it was written with, and a level in parts of an event, of which one event has as many as the
//     Window has milliseconds. So Limit parts leak in each millisecond, and a level is a whole number at every one.
//
// Counts stop at [MaxCount], and a level at Burst+Limit-1 events of the cell: more can only be charged by force, and
// what is forced above that is not counted, so that nobody waits longer than the Window.
//
// # How a cell is read
//
// An instant in the future (the clock has stepped back) counts as now, and a record that starts in
// the future starts now. Since writing replaces such instants too, a section's entries always stand
// in the order of their instants. What a cell's entries are:
//   - of a Shadow cell, those of the shadow section of its Section that carry its Own mark;
//   - of an enforced cell, those of its Section that, where Mark is not 0, carry it; and those of the shadow section that
//     carry its Own mark and have no entry of the same id in the Section: what the rule charged in Shadow mode, and no
//     enforced rule beside it.
//
// A record is read as it stands now by its own numbers, and if they are not the
// cell's, is then made one of the cell's; see below.
//
// Log: used is the number of the cell's entries later than now-Window. It refuses if used >= Limit; the wait is the Limit-th newest of them + Window - now.
//
// Counter: the record is rolled first: with one whole Window elapsed since its start,
// current becomes previous, current 0, and the start moves on by Window; with two or more it is dead, as if
// there were none. With r = Window left in the bucket, c the current and p the previous
// count, used is c + ceil(p*r/Window); it refuses if p*r > (Limit-1-c)*Window; the wait is, for c < Limit,
// ceil((p*r - (Limit-1-c)*Window)/p), else r + ceil((c-(Limit-1))*Window/c).
//
// Fixed: with one whole Window elapsed since the record's start the count is 0; with two or more it is dead. Used is
// the count; it refuses if used >= Limit; the wait is start + Window - now. A charge of a count of 0 starts the window
// now.
//
// Bucket: Limit parts have leaked for each millisecond since the record's start, and a level that has so come to 0 is dead.
// Used is ceil(level/Window); with over = level + Window - Burst*Window, it refuses if over > 0; the wait is
// ceil(over/Limit).
//
// # How a rule finds what it counted by other numbers
//
// A live record of another Algorithm or Window, or of a Bucket with another Limit, is made one of the cell's, with what
// it says is used (at most [MaxCount]) as
//   - Counter: the previous count, with current 0, of a bucket that starts now;
//   - Fixed: the count of a window that starts now; or, of a Fixed record whose start is less than the cell's
//     Window ago, when that did;
//   - Bucket: the level, in events; of a Bucket with the same Window, the same level.
//
// So a raised limit frees at once, a lowered one holds at once, and nobody waits longer than the new window (of a
// Counter's two buckets, than both).
//
// A cell without a live record reads the log, as the rule did when it was a Log, and as a rule does that is new. A Counter
// and a Fixed cell are then read like a Log cell (used, refusal and wait); the record that a charge makes starts with the entries so
// counted: as the previous count of a Counter's bucket that starts now; as the count of a Fixed window that
// starts with the oldest of them. A Bucket cell without a record has the level that it would have if each of its
// entries later than now-Window, the oldest first, had been charged at its instant to an empty bucket.
//
// A Log cell with a live record under its Slot reads that too, as a cell of the record's Algorithm would, with
// the Log cell's Limit and Window, and for a Bucket with Burst = Limit: it refuses if either does, with the larger used and the
// longer wait. It never charges it, so the record dies.
//
// # How a rule finds what it counted in its other mode
//
// A rule has one Slot in both modes, so a record goes on in either direction. A Log that is enforced finds what it
// charged in Shadow mode among its entries, and nobody has Limit more for the change. One that is put into Shadow mode
// counts only what it charges there: what enforced rules beside it charge, without end where they allow more, would
// say of it for good that it refuses.
//
// # What is written
//
// A key is written if a cell of it is charged; and, charged or not, refused or not (but never by Peek),
// if a cell reads a live record of other numbers, which is then kept in the cell's (a Log cell keeps its Algorithm), or if an
// instant that the plan reads is in the future. Otherwise a wait would not keep its word. Either way
// future instants that the plan reads are replaced by now: those of every section that one
// of its cells names, with the shadow section beside it (a Shadow cell names that one alone), and the start of every
// record that one of its cells names by Slot.
//
// Charging a key does, in this order:
//  1. Sections whose newest entry is not later than now-TTL are emptied, and dead records are dropped; if Shadow cells
//     alone are charged, only shadow sections are emptied, and a dead record goes when it is written anew.
//  2. One entry is appended to each section of which an enforced Log cell charges, (now, ID, the plan's Mark); and to
//     its shadow section one for each Shadow Log cell that is charged, (now, ID, the cell's Own mark). Before that, the
//     entries not later than now-Retain are dropped of such a section, and of such a shadow section those not later than
//     now-RetainShadow; after it, one of more than [MaxEntries] is compacted: an entry stays that has fewer than
//     Keep.All newer ones, or fewer than Keep.PerMark newer ones of its own mark, in a shadow section fewer than
//     KeepShadow. Other sections stay as they are: no Shadow cell changes what enforced cells have in theirs.
//  3. One event is added to the record, as it stands now, of each other cell that is charged: to the current count, to the count, or
//     to the level, which then starts now.
type Store interface {
	// Take reads the clock once, evaluates every cell of every group and, if no enforced cell
	// refuses (or t.Force), charges all cells that Charge, in one atomic step; otherwise it charges
	// nothing. Shadow cells never refuse the event; one that would have is not charged (with
	// t.Force it is). A store that is full leaves out keys that Shadow cells alone would make rather than fail.
	//
	// A store of several servers has one such step for each Tag, all at once, and when one of them refuses or fails it
	// gives back what the others have granted: meanwhile these may refuse others, and never does more pass than may.
	//
	// A store that knows how to do t.Errand may do it in the same step as the charge, and says so in the
	// answer; another one leaves it alone, as does one that can't do it now. A take that was refused, came late
	// or failed before it was executed leaves nothing of the errand. What an errand comes to may be free: then nothing is
	// charged or written of the counters, and the answer is as Peek's.
	Take(ctx context.Context, t Take) (Taken, error)
	// Peek is Take that writes nothing and answers Verdicts as they stand.
	Peek(ctx context.Context, t Take) (Taken, error)
	// Refund gives back what Take charged to the given groups. In each section of which a Log cell
	// charges (a shadow section, if a Shadow one does), the entries with the id go, so that twice is once. From the record of each other cell that
	// was charged, as it is stored and whatever its numbers, one event is taken, never below 0, and at most once per
	// call: from a level; from a count or a current count if At is not before its start, else from a previous
	// one if At is not before start - window. Where there is no key or no record it makes none.
	Refund(ctx context.Context, r Refund) error
	// Reset removes every key with one of the tags.
	Reset(ctx context.Context, tags ...Tag) error
}

// MaxEntries is how many entries a section may hold before it is compacted.
const MaxEntries = 128

// MaxCount is where counts stop: charges by force may pass any limit, and products with
// MaxWindow must stay below 2^53. No level of a Bucket has more events either.
const MaxCount = 2 * MaxLimit

// Tag groups keys that are decided together: a cluster keeps them in one slot.
// 16 bytes of a keyed hash in unpadded base64url.
type Tag string

// Key names one counted subject. It holds nothing personal.
type Key struct {
	Tag Tag
	// Name tells the keys of a tag apart: [a-z+] and base64url.
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
	// Refused says that this cell would not have let the event pass, before any charge (of a Shadow
	// cell and with Force too).
	Refused bool
}

// Taken is a store's answer.
type Taken struct {
	// Allowed says that every enforced cell let the event pass, and so that it was charged
	// (Take), or would have been (Peek, and where it is Free). Always true with Force.
	Allowed bool
	// ErrandDone says that the Take's Errand was done, at At.
	ErrandDone bool
	// Free says that what the errand came to costs nothing, so that nothing was charged.
	Free bool
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
	// Uncharged names the cells that Charge but were not charged: Shadow ones that would have
	// refused. In the order of Groups, and of the cells within each; nil: all were charged.
	Uncharged []bool
}

// Plan is what one key is asked about one event: compiled once per policy version, immutable.
type Plan struct {
	Cells []Cell
	// Mark goes on the entry of enforced Log cells: the hash of the event's scene, never 0.
	Mark uint16
	// Retain is how long each section's entries may still be read by an enforced Log cell of any plan of the
	// policy version for this kind of key: the longest window.
	Retain [Events]time.Duration
	// Keep bounds compaction for each section, over the enforced cells of all plans of this kind of key.
	Keep [Events]Keep
	// RetainShadow is Retain for each shadow section, which cells of both modes read, whatever they are by now: the
	// longest window of all.
	RetainShadow [Events]time.Duration
	// KeepShadow is how many of the newest entries of each mark the Log cells of both modes can still read in each
	// shadow section.
	KeepShadow [Events]int
	// TTL is how long the key may still matter after a write (whole milliseconds): the largest of Retain, the window of a
	// Fixed, twice that of a Counter, and the time in which Burst+Limit-1 events leak from a Bucket; in both modes.
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
	Algorithm Algorithm // never Auto
	Limit     int64
	Window    time.Duration // whole milliseconds
	Burst     int64         // of a Bucket; 0 for others
	// Mark is 0 for every entry of the section, else the mark that an entry must carry; a Shadow cell goes by Own.
	Mark uint16
	// Slot names the cell's record within its key; a Log cell's names what it left when it was none.
	Slot uint32
	// Own is the rule's mark on the entries that it charges in Shadow mode: its own within the kind of key, never 0.
	Own uint16
	// Shadow says that the rule is in Shadow mode: the cell refuses nothing and touches nothing of an enforced cell's.
	Shadow bool
	// Charge says that the event is counted; a Guess cell at a Send is only asked.
	Charge bool
}
