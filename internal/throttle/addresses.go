package throttle

import (
	"container/list"
	"time"

	"golang.org/x/time/rate"
)

// addresses is a bounded table of limiters. An address has a place there only from its first token
// until its bucket is full again: then forgetting it changes nothing, since a new bucket is full too.
// Nothing else is ever forgotten, so nobody gets a fresh bucket by crowding the table. Who finds it
// crowded shares one more bucket with all others that do.
//
// Only allowed events take tokens, so the process's limiter bounds the crowd: with the defaults, within
// the two seconds that an empty bucket takes to refill, 8,000 addresses of 65,536.
type addresses struct {
	limit  rate.Limit
	burst  int
	max    int
	byHost map[string]*list.Element
	recent *list.List // of *place, the longest idle first
	shared *rate.Limiter
	spare  *place // of a host that has left: its bucket is full, as a new one is; nil: none
}

type place struct {
	host    string
	limiter *rate.Limiter
}

func newAddresses(o LocalOptions) *addresses {
	a := &addresses{limit: rate.Limit(o.IPRate), burst: o.IPBurst, max: o.MaxAddresses}
	a.byHost, a.recent = map[string]*list.Element{}, list.New()
	a.shared = a.fresh()
	return a
}

// place returns a host's new one.
func (a *addresses) place(host string) *place {
	p := a.spare
	if p == nil {
		return &place{host, a.fresh()}
	}
	a.spare, p.host = nil, host
	return p
}

func (a *addresses) fresh() *rate.Limiter { return rate.NewLimiter(a.limit, a.burst) }

// limiter returns the host's limiter: its own, the shared one if the table is crowded, or nil for a
// host that has a place to come and so a full bucket.
func (a *addresses) limiter(now time.Time, host string) *rate.Limiter {
	a.shed(now)
	if e, known := a.byHost[host]; known {
		return e.Value.(*place).limiter
	}
	if len(a.byHost) >= a.max {
		return a.shared
	}
	return nil
}

// charge takes a token of what limiter returned for the host.
func (a *addresses) charge(now time.Time, host string, limiter *rate.Limiter) {
	if host == "" {
		return
	}
	if limiter == nil {
		p := a.place(host)
		a.byHost[host], limiter = a.recent.PushBack(p), p.limiter
	} else if e, known := a.byHost[host]; known {
		a.recent.MoveToBack(e)
	}
	limiter.AllowN(now, 1)
}

// shedAtOnce is how many places one call may free: more than one, so that the table empties faster than
// it fills.
const shedAtOnce = 2

// shed frees the places of those who have been idle for longest, if their buckets are full.
func (a *addresses) shed(now time.Time) {
	for range shedAtOnce {
		e := a.recent.Front()
		if e == nil {
			return
		}
		p := e.Value.(*place)
		if p.limiter.TokensAt(now) < float64(a.burst) {
			return
		}
		delete(a.byHost, p.host)
		a.recent.Remove(e)
		a.spare = p
	}
}
