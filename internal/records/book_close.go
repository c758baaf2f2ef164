package records

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Ready returns nil if a row that is handed over now will be kept, as far as is known without asking anybody: so ask it
// before anything of a send is charged. Else its error unwraps to [ErrUnavailable]: the database is away and the spool
// is full or can't be written, or there is none.
func (b *Book) Ready() error {
	switch {
	case b.stuck.isSet():
		return fmt.Errorf("%w: a batch waits that nothing takes", ErrUnavailable)
	case b.courier.direct():
		return b.queue.full()
	case b.refuses:
		return unavailable(errAway)
	case b.spool.full():
		return unavailable(errSpoolFull)
	}
	return b.queue.full()
}

// errAway is a database that did not answer the last time.
var errAway = errors.New("the database is away")

// unavailable has err unwrap to ErrUnavailable.
func unavailable(err error) error { return fmt.Errorf("%w: %w", ErrUnavailable, err) }

// Status is how it goes with the writing.
type Status struct {
	// Away is since when the database takes nothing, or has not yet all that was spooled; zero: it has all.
	Away time.Time
	// SpooledBytes are in the spool and not yet in the database.
	SpooledBytes int64
	// Ready is what [Book.Ready] returns.
	Ready error
}

// Status tells it without asking anybody.
func (b *Book) Status() Status {
	return Status{Away: b.health.away(), SpooledBytes: b.spool.backlog.Load(), Ready: b.Ready()}
}

// Behind reports whether the row of an accepted send, which the database lacks, may be on this instance's disk: in the spool, or set
// aside.
func (b *Book) Behind(smsID string) bool {
	return !b.health.away().IsZero() || !b.spool.empty() || b.aside.has(smsID)
}

// Close takes nothing more, writes what waits, and returns when every goroutine has ended. What the spool holds stays for
// the next run. Where neither the database nor the spool takes what waits, it is tried until ctx ends, and then lost: the
// log says how much. A second Close returns nil at once.
func (b *Book) Close(ctx context.Context) error {
	var err error
	b.closing.Do(func() { err = b.close(ctx) })
	return err
}

func (b *Book) close(ctx context.Context) error {
	stop := context.AfterFunc(ctx, b.hurry)
	defer stop()
	b.queue.close()
	close(b.writer.closing)
	b.writing.Wait()
	b.end()
	b.hurry()
	b.calling.Wait()
	b.spool.close()
	b.aside.close()
	if b.writer.lostRows > 0 {
		return fmt.Errorf("records: %d rows are lost: neither the database nor the spool took them", b.writer.lostRows)
	}
	return nil
}
