package records

import (
	"context"
	"errors"
	"fmt"
	"time"

	"smsd/internal/deadline"
)

// ErrUnavailable is what errors unwrap to where a row can't be kept, or nobody can tell in time that it is.
var ErrUnavailable = errors.New("records can't be written")

// MaxWait is the longest that [Pending.Wait] takes, from the row's being handed over, where [Options] say nothing else.
const MaxWait = 400 * time.Millisecond

// Pending is a row that is on its way. Safe for concurrent use.
type Pending struct {
	begun time.Time
	most  time.Duration
	done  chan struct{}
	err   error // of what ended; read after done
	whom  Whom
}

// Whom are the hashes of who a send's row is about, for an [Attempt]; zero of other rows, and of a row that was not taken.
func (p *Pending) Whom() Whom { return p.whom }

func newPending(most time.Duration) *Pending {
	return &Pending{begun: time.Now(), most: most, done: make(chan struct{})}
}

// refused is the Pending of a row that was not taken.
func refused(err error) *Pending {
	p := newPending(0)
	p.settle(err)
	return p
}

// settle ends the wait. It is called once.
func (p *Pending) settle(err error) {
	p.err = err
	close(p.done)
}

// Wait returns nil when the row is on disk: in the database, or in the spool. Its error unwraps to [ErrUnavailable]
// where the row was not taken, could not be written yet, or is on its way for longer than [MaxWait]; but for the first
// it may be written later all the same, and is then written once. Where ctx ends first its error is in the chain too.
func (p *Pending) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	default:
	}
	own := p.begun.Add(p.most)
	end, callers := own, false
	if its, has := ctx.Deadline(); has && its.Before(own) {
		end, callers = its, true
	}
	late := time.NewTimer(time.Until(end)) // the only one: ctx's own would be made for this wait alone
	defer late.Stop()
	select {
	case <-p.done:
		return p.err
	case <-late.C:
		return p.late(callers)
	case <-deadline.Early(ctx):
		return fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
	}
}

// late is the error of a wait that was too long: for its caller, or at all.
func (p *Pending) late(callers bool) error {
	if callers {
		return fmt.Errorf("%w: %w", ErrUnavailable, context.DeadlineExceeded)
	}
	return fmt.Errorf("%w: no answer within %s", ErrUnavailable, p.most)
}
