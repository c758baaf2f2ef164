// Package memstore keeps counters and codes in this process.
package memstore

import (
	"context"
	"time"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Options size a store. The zero value is usable.
type Options struct {
	// MaxKeys bounds the counters' keys, MaxCodes the verifications; 0: the defaults. A full store
	// sheds what has expired, evicts nothing else, and answers new keys that it is full.
	MaxKeys, MaxCodes int
	// Clock is shared by the stores of one process; nil: a fresh one.
	Clock *Clock
}

// Clock is the stores' clock: the system's, moved by what [Clock.Advance] added. Safe for concurrent use.
type Clock struct{}

// NewClock returns a clock over now; nil: time.Now.
func NewClock(now func() time.Time) *Clock { panic("unbuilt") }

// Now returns the instant, UTC.
func (c *Clock) Now() time.Time { panic("unbuilt") }

// Advance moves the clock by d, backwards too.
func (c *Clock) Advance(d time.Duration) { panic("unbuilt") }

// Counters is a [throttle.Store].
type Counters struct{ throttle.Store }

// NewCounters returns an empty one.
func NewCounters(o Options) *Counters { panic("unbuilt") }

// Save writes every counter that may still matter to path, replacing the file whole.
func (c *Counters) Save(path string) error { panic("unbuilt") }

// Load reads what Save wrote; a file that is missing is no error.
func (c *Counters) Load(path string) error { panic("unbuilt") }

// Codes is a [sms.Codes].
type Codes struct{ sms.Codes }

// NewCodes returns an empty one.
func NewCodes(o Options) *Codes { panic("unbuilt") }

// Save writes every verification that is not forgotten to path, replacing the file whole.
func (c *Codes) Save(path string) error { panic("unbuilt") }

// Load reads what Save wrote; a file that is missing is no error.
func (c *Codes) Load(path string) error { panic("unbuilt") }

var _ = context.Background
