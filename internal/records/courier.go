package records

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"smsd/internal/pause"
)

// Deadlines of calls. A batch that is on its way for longer than its rows may wait goes to the spool as well: by its number
// it is written once all the same.
const (
	callTimeout   = time.Second     // of a batch for which somebody waits
	replayTimeout = 5 * time.Second // of what is replayed, and of a ping
	// partsTimeout is of a batch that is written in parts: where all of its 500 rows are refused that takes some 4,000 trips, which may
	// then be of 7 ms.
	partsTimeout = 30 * time.Second
)

// Between tries of a database that is away.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// errSlow is a call that somebody no longer waits for; it is still under way.
var errSlow = errors.New("no answer in time")

// courier makes every call of the store, one at a time: the writer's batches while the database is there and nothing is
// spooled, else the spool's.
type courier struct {
	store   Store
	spool   *spool
	aside   *aside
	health  *health
	metrics *metrics
	logger  *slog.Logger

	life context.Context
	jobs chan job
	wake chan struct{} // has an element where the health or the spool changed

	// writer and attempted are this run's name, and its highest batch that a call was made with. What is above was surely
	// not written, so it may go together with others under one number.
	writer    string
	attempted uint64

	// held is what is replayed now, until the store has it or refuses rows of it: a call that may be under way still is made again
	// as it was.
	held *portion
}

// job is a batch that somebody waits for.
type job struct {
	batch Batch
	done  chan error
}

// direct reports whether batches go straight to the database.
func (c *courier) direct() bool {
	return !c.health.isShut() && c.spool.empty()
}

// deliver hands a batch over and waits for the answer, for so long.
func (c *courier) deliver(b Batch, patience time.Duration) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	j := job{b, make(chan error, 1)}
	select {
	case c.jobs <- j:
	case <-late.C:
		return errSlow
	case <-c.life.Done():
		return c.life.Err()
	}
	select {
	case err := <-j.done:
		return err
	case <-late.C:
		return errSlow
	}
}

// run serves until life ends.
func (c *courier) run() {
	wait := firstPause
	for c.life.Err() == nil {
		if c.direct() {
			c.serve()
			wait = firstPause
			continue
		}
		if err := c.catchUp(); err != nil {
			c.health.lost(err)
			pause.For(c.life, wait/2+rand.N(wait)) // so that instances do not come back together
			wait = min(2*wait, lastPause)
			continue
		}
		wait = firstPause
	}
}

// serve makes the next call, or returns because something changed.
func (c *courier) serve() {
	select {
	case j := <-c.jobs:
		err := c.place(j.batch, callTimeout)
		if err != nil {
			c.health.lost(err)
		} else {
			c.health.took()
		}
		j.done <- err
	case <-c.wake:
	case <-c.life.Done():
	}
}

func (c *courier) ping() error {
	ctx, cancel := context.WithTimeout(c.life, replayTimeout)
	defer cancel()
	if err := c.store.Ping(ctx); err != nil {
		return err
	}
	c.health.answered()
	return nil
}
