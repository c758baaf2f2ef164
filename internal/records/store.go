package records

import (
	"context"
	"errors"
	"time"
)

// ErrNotFound is a row that is not there.
var ErrNotFound = errors.New("records: no such row")

// ErrContent is what errors of a [Store] unwrap to where the database answered, and refuses what is in a row: it would again.
var ErrContent = errors.New("the database refuses what is in a row")

// Batch is what one writer hands over at once. The tags of it and of its rows are the names under which a spool keeps
// them.
type Batch struct {
	// Writer names one run of one process; Seq counts its batches from 1.
	Writer        string         `json:"writer"`
	Seq           uint64         `json:"seq"`
	Verifications []Verification `json:"verifications,omitempty"`
	Changes       []Change       `json:"changes,omitempty"` // after the Verifications
	Handles       []Handle       `json:"handles,omitempty"`
	Decisions     []Decision     `json:"decisions,omitempty"`
	// Aside is the highest number under which rows of it were set aside, in calls of which nobody can tell whether one was executed; zero:
	// none were. No spool keeps it.
	Aside Number `json:"-"`
}

// Number is a batch's, of a writer.
type Number struct {
	Writer string
	Seq    uint64
}

// Store is where records are written. Implementations are safe for concurrent use, bound every call by ctx, and keep
// nothing of a call that failed. Instants are those of the caller.
type Store interface {
	// Append writes a batch: all of it or nothing, and once. A batch whose Seq is not above the highest of its Writer's
	// that is there was written before, and is success that changes nothing: so a call of which nobody can tell whether it
	// was executed may be made again. Where it was not written before, what has the number b.Aside counts as written with it:
	// all of its rows are among these. A Verification whose SMSID is there is left out.
	//
	// A Change is kept whether its row is there or not: the row may still be in the spool of another instance. One that is
	// early is seen by no Reader, and is added when the Verification is written, together with it and once, as if it had come
	// behind it; among themselves early ones go in the order in which they came. Whoever commits last sees to it, so
	// that of a Verification and its Change from two writers at the same moment neither is lost.
	//
	// Handles of one name are one, with the first owner that was told. Once the owner is known, what was told of it is a Change of
	// the owner, be it told before or after. Here too whoever commits last sees to it.
	Append(ctx context.Context, b Batch) error
	// AppendSome is Append for a batch that had an [ErrContent]: it leaves out each row that is refused by itself, and writes all
	// others. Before anything is kept it hands those to aside, with why, unless there are none; an error of that is its own, and then
	// nothing is kept. Where a call failed aside may have been called, and is again in the next one, perhaps with other rows. The batch
	// and what has the number b.Aside count as written.
	AppendSome(ctx context.Context, b Batch, aside func(refused Batch, why error) error) error
	// Ping asks whether it is there.
	Ping(ctx context.Context) error
}

// Reader is where records are read. A page is newest first, and its cursor stands behind its last row.
type Reader interface {
	// Verification returns one row, or ErrNotFound.
	Verification(ctx context.Context, smsID string) (Verification, error)
	Verifications(ctx context.Context, f Filter) ([]Verification, Cursor, error)
	Decisions(ctx context.Context, f Filter) ([]Decision, Cursor, error)
}

// Filter says which rows; what is zero is any. A row passes if everything that is given fits.
type Filter struct {
	App       string
	Scene     string
	Country   string
	RequestID string
	SMSID     string
	// Phones, Hosts, Networks and Devices are each the hashes of one subject, under every secret in rotation; a row fits
	// whose hash is one of them.
	Phones, Hosts, Networks, Devices []Hash
	// State is a verification's, at Now.
	State State
	Now   time.Time
	// Outcome, Action and Rule are a decision's, and so is Shadow: a rule in shadow mode that would have refused.
	Outcome, Action, Rule, Shadow string
	// From is the first instant, Until the first one that is not.
	From, Until time.Time
	After       Cursor
	Limit       int // rows of a page, 1 to MaxPage
}

// MaxPage bounds a page.
const MaxPage = 500

// Cursor stands behind a row: of its instant, and of what tells rows of one instant apart. The zero Cursor stands in
// front of the newest, and as an answer says that there are no more.
type Cursor struct {
	At  time.Time
	Row string
}

// Keeper is where records end.
type Keeper interface {
	// Purge removes at most limit rows of each kind, the oldest first, that are older than told, and says how many. What
	// is kept early for a Verification that has not come by then goes with those of its time, and counts as one: it is as old
	// as the first Change of it is there. A Handle goes with the Verifications of its time, and one that is nobody's after
	// [UnclaimedKept]; the latter are a kind of their own. With an error it says what was removed all the same.
	Purge(ctx context.Context, verificationsBefore, decisionsBefore time.Time, limit int) (Purged, error)
	// Erase takes the subject out of every row about a number, whose hashes these are: the sealed number, the hashes of who is beside
	// it, and the prefix. The rows stay, for counts and bills.
	Erase(ctx context.Context, phones []Hash) (Erased, error)
	// SealedWith counts the rows with a sealed number by the id of the secret that sealed it, eight hex digits.
	SealedWith(ctx context.Context) (map[string]int64, error)
}

// Purged counts what a purge removed.
type Purged struct{ Verifications, Decisions, Writers, Handles int64 }

// Erased counts what an erasure changed.
type Erased struct{ Verifications, Decisions int64 }
