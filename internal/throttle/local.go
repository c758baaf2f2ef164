package throttle

import "smsd/internal/address"

// Local is the layers in front of the store, in this process and without I/O: a limiter for each
// client address, so that one can't empty the next, then one for the process. Both are
// x/time/rate token buckets; sends and verifies have their own. Safe for concurrent use, bounded in memory.
type Local struct{}

// LocalOptions size a [Local]. Rates are events a second; bursts, events at once.
type LocalOptions struct {
	Rate    float64
	Burst   int
	IPRate  float64
	IPBurst int
}

// NewLocal returns a Local.
func NewLocal(o LocalOptions) (*Local, error) { panic("unbuilt") }

// Allow takes one token of each layer for event (a Send or a Verify), or returns a [*Denied] and
// takes none.
func (l *Local) Allow(event Event, client address.Addr) error { panic("unbuilt") }
