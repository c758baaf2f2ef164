package records

import (
	"errors"
	"log/slog"
)

// catchUp writes what comes next of the spool; without any it asks whether the database is there.
func (c *courier) catchUp() error {
	if c.spool.empty() {
		return c.ping()
	}
	if err := c.hold(); err != nil {
		return err
	}
	if group := c.held.batches; len(group) > 0 {
		parted, err := c.replay(group)
		if parted || err != nil {
			return err
		}
	}
	c.spool.advance(*c.held)
	c.held = nil
	if c.spool.empty() {
		c.health.back()
	}
	return nil
}

// replay writes a group of batches. One of several in which the database refuses rows is parted instead: nothing of it is kept, so each of
// them is read again, and alone, since a call was made with it. So what is set aside of a batch has the same number in every run, also in
// one that finds them in other groups.
func (c *courier) replay(group []Batch) (parted bool, err error) {
	b := merged(group)
	if len(group) == 1 {
		err = c.place(b, replayTimeout)
	} else {
		err = c.append(b, replayTimeout)
	}
	switch {
	case len(group) > 1 && errors.Is(err, ErrContent):
		c.held = nil
		return true, nil
	case err == nil:
		c.health.caughtUp(b.Rows())
	}
	return false, err
}

// hold reads what is replayed next, and tells what is wrong with it.
func (c *courier) hold() error {
	if c.held != nil {
		return nil
	}
	p, err := c.spool.peek(c.together)
	if err != nil {
		return err
	}
	if p.damage.any() {
		c.metrics.damaged.Add(float64(p.damage.skipped))
		if !p.seg.damaged { // a file is told of once
			c.report(p.damage)
		}
	}
	c.held = &p
	return nil
}

// together reports whether next may go along with group, in one call under its own number: only if no call was made with
// any of them, or the store could have some and not others.
func (c *courier) together(group []Batch, next Batch) bool {
	first := group[0]
	if first.Writer != c.writer || next.Writer != c.writer || first.Seq <= c.attempted {
		return false
	}
	rows := next.Rows()
	for _, b := range group {
		rows += b.Rows()
	}
	return rows <= maxBatchRows
}

// merged is a group in one batch, under the last one's number.
func merged(group []Batch) Batch {
	all := Batch{Writer: group[0].Writer, Seq: group[len(group)-1].Seq}
	for _, b := range group {
		all = all.With(b)
	}
	return all
}

// report tells of what a crash or a disk took.
func (c *courier) report(d damage) {
	attrs := []any{slog.String("file", d.path), slog.Int64("at", d.at), slog.Int64("bytes", d.skipped+d.torn)}
	if d.why != nil {
		attrs = append(attrs, slog.Any("error", d.why))
	}
	switch {
	case d.torn > 0:
		c.logger.Warn("records: the end of a spool's file was cut off: what a crash left half-written, which nobody was told to be kept", attrs...)
	case d.gone():
		c.logger.Error("records: a spool's file was removed or cut off by somebody else, and rows in it are lost: leave the folder to smsd alone", attrs...)
	default:
		c.logger.Error("records: a spool's file is damaged, and rows in it are lost; all others in it are written, and then it is kept "+
			"with the ending "+damagedSuffix+": look at the disk, and remove the file when nobody needs it", attrs...)
	}
}
