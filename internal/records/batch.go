package records

// maxBatchRows bounds a batch: at some 10 us of the database's time each, all of it takes a few milliseconds.
const maxBatchRows = 500

// Rows is how many rows a batch has.
func (b Batch) Rows() int {
	return len(b.Verifications) + len(b.Changes) + len(b.Handles) + len(b.Decisions)
}

// With is b with the rows of another batch behind its own.
func (b Batch) With(more Batch) Batch {
	b.Verifications = append(b.Verifications, more.Verifications...)
	b.Changes = append(b.Changes, more.Changes...)
	b.Handles = append(b.Handles, more.Handles...)
	b.Decisions = append(b.Decisions, more.Decisions...)
	return b
}

// load is a batch, and who waits for it.
type load struct {
	batch   Batch
	waiting []*Pending
}

// add takes rows over.
func (l *load) add(rows []row) {
	for _, r := range rows {
		switch {
		case r.verification != nil:
			l.batch.Verifications = append(l.batch.Verifications, *r.verification)
		case r.change != nil:
			l.batch.Changes = append(l.batch.Changes, *r.change)
		default:
			l.batch.Handles = append(l.batch.Handles, *r.handle)
		}
		l.waiting = append(l.waiting, r.pending)
	}
}

// settle tells those who still wait, once.
func (l *load) settle(err error) {
	for _, p := range l.waiting {
		p.settle(err)
	}
	l.waiting = nil
}
