package throttle

import (
	"errors"
	"fmt"
	"time"
)

// ErrUnavailable is what every error unwraps to that means "nobody can tell": the store did not
// answer in time, or is full. Nothing was allowed.
var ErrUnavailable = errors.New("store unavailable")

// Usage is the state of one rule for one subject.
type Usage struct {
	Rule   string
	By     []Kind
	Mode   Mode
	Limit  int64
	Window time.Duration
	// Burst is a Bucket's, never 0; 0 for other rules.
	Burst int64
	// Used is how many events count now (rounded up for a Counter and a Bucket).
	Used int64
	// RetryAfter is how long until one more event could pass this rule; 0: now.
	RetryAfter time.Duration
}

// Remaining returns how many more events would pass now; never negative.
func (u Usage) Remaining() int64 {
	most := u.Limit
	if u.Burst > 0 {
		most = u.Burst
	}
	return max(0, most-u.Used)
}

// Decision says whether an event may happen. The zero Decision is a refusal.
type Decision struct {
	Allowed bool
	// Rule is the enforced rule that refuses for longest; empty if Allowed. The layers in front of the store call
	// themselves [LocalAddress], [LocalProcess] and [LocalBlock].
	Rule string
	Used int64
	// Limit is that rule's.
	Limit int64
	// RetryAfter is how long until the same event could pass, if nobody else charges the same
	// subjects; above 0 exactly if not Allowed.
	RetryAfter time.Duration
}

// Denied is the error of a refusal. A refusal has charged nothing.
type Denied struct {
	Decision
	// Shadow are the rules in Shadow mode that would have refused as well, where the store has just told.
	Shadow []string
}

func (d *Denied) Error() string {
	return fmt.Sprintf("throttle: refused by rule %q: used %d of %d, retry after %s", d.Rule, d.Used, d.Limit, d.RetryAfter)
}
