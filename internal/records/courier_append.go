package records

import (
	"context"
	"errors"
	"time"
)

// place writes a batch, or what the database takes of it.
func (c *courier) place(b Batch, timeout time.Duration) error {
	b.Aside = c.aside.numberOf(b)
	err := c.append(b, timeout)
	if errors.Is(err, ErrContent) {
		return c.appendSome(b)
	}
	return err
}

func (c *courier) append(b Batch, timeout time.Duration) error {
	if b.Writer == c.writer {
		c.attempted = max(c.attempted, b.Seq)
	}
	err := c.call(timeout, func(ctx context.Context) error { return c.store.Append(ctx, b) })
	if err == nil {
		c.metrics.wrote(b, Batch{})
	}
	return err
}

// appendSome writes a batch without the rows that the database refuses, which are set aside.
func (c *courier) appendSome(b Batch) error {
	var refused Batch
	var why error
	err := c.call(partsTimeout, func(ctx context.Context) error {
		return c.store.AppendSome(ctx, b, func(rows Batch, because error) error {
			refused, why = rows, because
			return c.aside.keep(b, rows, because)
		})
	})
	if err != nil {
		return err
	}
	c.aside.written(b)
	c.metrics.wrote(b, refused)
	if n := refused.Rows(); n > 0 {
		count(c.metrics.aside, refused)
		c.aside.tell(n, why)
	}
	return nil
}

// call bounds a call of the store that writes.
func (c *courier) call(timeout time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(c.life, timeout)
	defer cancel()
	begun := time.Now()
	err := do(ctx)
	c.metrics.called(begun, err)
	return err
}
