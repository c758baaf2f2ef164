package records

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Forget removes from the files that wait for somebody what is older than told, as [Keeper.Purge] does in the database: rows that were set
// aside, of which it says how many, and files of which some can't be read, as old as they were last written. A change or a handle, in
// which nothing is a person's, has no age of its own: it goes with its file. What waits in the spool is not touched: it goes
// to the database, and is purged there. Safe for concurrent use.
func (b *Book) Forget(verificationsBefore, decisionsBefore time.Time) (rows int, err error) {
	o := old{verificationsBefore, decisionsBefore}
	rows, err = b.aside.forget(o)
	return rows, errors.Join(err, b.spool.forgetDamaged(o))
}

// old are the first instants at which a row is not too old.
type old struct{ verifications, decisions time.Time }

// file reports whether all that may be in a file of this age is too old for one of its kinds.
func (o old) file(written time.Time) bool {
	return written.Before(o.verifications) || written.Before(o.decisions)
}

// without is a batch without what is too old. written is when its file was last written.
func (o old) without(b Batch, written time.Time) Batch {
	b.Verifications = slices.DeleteFunc(b.Verifications, func(v Verification) bool { return v.CreatedAt.Before(o.verifications) })
	b.Decisions = slices.DeleteFunc(b.Decisions, func(d Decision) bool { return d.At.Before(o.decisions) })
	if o.file(written) {
		b.Changes, b.Handles = nil, nil
	}
	return b
}

// forget removes rows that are too old. A file that fails keeps none in others.
func (a *aside) forget(o old) (rows int, err error) {
	a.keeping.Lock()
	defer a.keeping.Unlock()
	a.rows.dropRemoved()
	return a.thin(o)
}

// notice forgets what was in files that somebody has removed. It waits for nobody who changes the files meanwhile.
func (a *aside) notice() {
	if !a.keeping.TryLock() {
		return
	}
	defer a.keeping.Unlock()
	if a.rows.dropRemoved() {
		_, _ = a.thin(old{}) // nothing is too old: what is left is read again. What fails is told by the next sweep
	}
}

// thin takes rows that are too old out of every file, and remembers whose are left.
func (a *aside) thin(o old) (rows int, err error) {
	ids := map[string]struct{}{}
	for _, seg := range a.rows.all() {
		left, removed, failed := a.rows.thin(seg, o)
		err = errors.Join(err, failed)
		rows += removed
		for _, b := range left {
			addIDs(ids, b)
		}
	}
	if err != nil {
		return rows, err // and what was known is known still
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids = ids
	return rows, nil
}

// all are the segments, oldest first.
func (s *spool) all() []*segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.segments)
}

// dropRemoved takes segments off whose files somebody has removed: there is room again, and nothing more goes into a file that has no name.
// It reports whether there were any.
func (s *spool) dropRemoved() (removed bool) {
	for _, seg := range s.all() {
		if _, err := os.Stat(seg.path); errors.Is(err, fs.ErrNotExist) {
			s.mu.Lock()
			s.remove(seg)
			s.mu.Unlock()
			removed = true
		}
	}
	return removed
}

// forgetDamaged removes damaged files that are too old.
func (s *spool) forgetDamaged(o old) error {
	paths, err := named(s.dir, isDamagedName)
	for _, path := range paths {
		info, failed := os.Stat(path)
		if failed == nil && o.file(info.ModTime()) {
			failed = os.Remove(path)
		}
		if !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
