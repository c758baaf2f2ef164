package throttle

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"smsd/internal/address"
)

// The names by which the local layers refuse.
const (
	LocalAddress = "local-address"
	LocalProcess = "local-process"
	LocalBlock   = "local-block" // of an address or a device; see Request.Block
)

// Local is the layers in front of the store, in this process and without I/O: a limiter for each
// client address, so that one can't empty the next, then one for the process. Both are
// x/time/rate token buckets; sends and verifies have their own. Safe for concurrent use, bounded in memory.
type Local struct {
	now     func() time.Time
	layers  [Guess]layers // of Send and Verify
	refused *prometheus.CounterVec
}

// LocalOptions size a [Local]. Rates are events a second; bursts, events at once.
type LocalOptions struct {
	Rate    float64
	Burst   int
	IPRate  float64
	IPBurst int
	// MaxAddresses bounds the addresses that are told apart; 0: 65,536, of some 250 bytes each.
	MaxAddresses int
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
}

const defaultMaxAddresses = 65_536

// NewLocal returns a Local. Every rate must be above 0 and finite, every burst at least 1.
func NewLocal(o LocalOptions) (*Local, error) {
	if o.MaxAddresses == 0 {
		o.MaxAddresses = defaultMaxAddresses
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	l := &Local{now: o.Now}
	var err error
	if l.refused, err = localRefusals(o.Registerer); err != nil {
		return nil, err
	}
	for i := range l.layers {
		l.layers[i].process = rate.NewLimiter(rate.Limit(o.Rate), o.Burst)
		l.layers[i].addresses = newAddresses(o)
	}
	return l, nil
}

func (o LocalOptions) check() error {
	var faults []error
	positive := func(name string, v float64) {
		if !(v > 0) || math.IsInf(v, 1) {
			faults = append(faults, fmt.Errorf("throttle: local %s %v: must be above 0", name, v))
		}
	}
	positive("rate", o.Rate)
	positive("burst", float64(o.Burst))
	positive("address rate", o.IPRate)
	positive("address burst", float64(o.IPBurst))
	positive("addresses", float64(o.MaxAddresses))
	return errors.Join(faults...)
}

// layers are the limiters of one event.
type layers struct {
	mu        sync.Mutex // so that both layers are asked before either is charged
	process   *rate.Limiter
	addresses *addresses
}

// Allow takes one token of each layer for event (a Send or a Verify), or returns a [*Denied] and
// takes none. A client without an address is asked of the process's layer alone.
func (l *Local) Allow(event Event, client address.Addr) error {
	if int(event) >= len(l.layers) {
		return fmt.Errorf("throttle: no local layer for event %d", event)
	}
	d := l.layers[event].take(l.now(), client.Host())
	if d.Allowed {
		return nil
	}
	l.refused.WithLabelValues(d.Rule, event.String()).Inc()
	return &Denied{Decision: d}
}

// Ask is Allow that takes no token and is counted nowhere.
func (l *Local) Ask(event Event, client address.Addr) error {
	if int(event) >= len(l.layers) {
		return fmt.Errorf("throttle: no local layer for event %d", event)
	}
	return known(l.layers[event].ask(l.now(), client.Host()))
}

// ask returns what take would.
func (l *layers) ask(now time.Time, host string) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, _ := l.look(now, host)
	return d
}

// take asks both layers, then charges both.
func (l *layers) take(now time.Time, host string) Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, own := l.look(now, host)
	if d.Allowed {
		l.process.AllowN(now, 1)
		l.addresses.charge(now, host, own)
	}
	return d
}

// look asks both layers, and finds the host's own one. The longer wait is reported: the shorter would not be true.
func (l *layers) look(now time.Time, host string) (d Decision, own *rate.Limiter) {
	if host != "" {
		own = l.addresses.limiter(now, host)
	}
	return longer(ask(LocalProcess, l.process, now), ask(LocalAddress, own, now)), own
}

// ask says whether limiter (nil: none) has a token now; it takes none.
func ask(name string, limiter *rate.Limiter, now time.Time) Decision {
	if limiter == nil {
		return Decision{Allowed: true}
	}
	missing := 1 - limiter.TokensAt(now)
	if missing <= 0 {
		return Decision{Allowed: true}
	}
	return Decision{
		Rule: name, Used: int64(limiter.Burst()), Limit: int64(limiter.Burst()),
		RetryAfter: refill(missing, limiter.Limit()),
	}
}

// refill returns how long a limiter needs for so many tokens, in whole milliseconds, rounded up, and
// at least 1: x/time/rate computes in floating point, so a nanosecond is no promise.
func refill(tokens float64, limit rate.Limit) time.Duration {
	ms := math.Floor(tokens/float64(limit)*1000) + 1
	return time.Duration(min(ms, math.MaxInt32)) * time.Millisecond
}
