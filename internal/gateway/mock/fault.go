package mock

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"smsd/internal/phone"
)

// What a fault may be.
const (
	// MaxFaults bounds the faults set at the same time: one for each message of the inbox.
	MaxFaults = 1000
	// MaxDelay is longer than any time-out in front of the gateway.
	MaxDelay = 30 * time.Second
)

// ErrTooManyFaults says that [MaxFaults] are set.
var ErrTooManyFaults = errors.New("mock: too many faults are set")

// FaultError says what is wrong with a [Fault].
type FaultError struct {
	Field string // fault, times or delay, as in the API
	Hint  string
}

func (e *FaultError) Error() string { return "mock: " + e.Field + ": " + e.Hint }

// Fault is a way to misbehave.
type Fault struct {
	Kind  string       // of [FaultKinds]
	Phone phone.Number // zero: any
	// Times is how many messages it meets, or, as told by [Gateway.Faults], has yet to meet; 0: until cleared.
	Times int
	// Delay holds up the answer of [Slow] (0: 2 s), [TimeoutBeforeAccept] and [TimeoutAfterAccept], up to
	// [MaxDelay].
	Delay time.Duration
}

// checked returns f with its usual delay, or a [*FaultError].
func (f Fault) checked() (Fault, error) {
	k := kindOf(f.Kind)
	switch {
	case f.Kind == accepted || k.name != f.Kind:
		return Fault{}, &FaultError{"fault", fmt.Sprintf("must be one of %q", FaultKinds())}
	case f.Times < 0:
		return Fault{}, &FaultError{"times", "must be at least 0"}
	case f.Delay != 0 && !k.delays:
		return Fault{}, &FaultError{"delay", "this fault has none"}
	case f.Delay < 0 || f.Delay > MaxDelay:
		return Fault{}, &FaultError{"delay", "must be 0s to " + MaxDelay.String()}
	case f.Delay == 0:
		f.Delay = k.usual
	}
	return f, nil
}

// SetFault takes the place of the fault for the same phone. The error is a [*FaultError] or
// [ErrTooManyFaults].
func (g *Gateway) SetFault(f Fault) error {
	f, err := f.checked()
	if err != nil {
		return err
	}
	return g.faults.set(f)
}

// ClearFaults removes them all.
func (g *Gateway) ClearFaults() { g.faults.clear() }

// Faults returns those that are set, oldest first.
func (g *Gateway) Faults() []Fault { return g.faults.all() }

// faults are those set, at most one for each phone.
type faults struct {
	mu     sync.Mutex
	active []Fault
}

func (t *faults) set(f Fault) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(f.Phone)
	if len(t.active) >= MaxFaults {
		return ErrTooManyFaults
	}
	t.active = append(t.active, f)
	return nil
}

func (t *faults) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active = nil
}

func (t *faults) all() []Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.active)
}

// next returns the fault of a message to number and counts it: one set for the number, else the number's
// own, else one set for any number, else none.
func (t *faults) next(number phone.Number) Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f, ok := t.use(number); ok {
		return f
	}
	if f, ok := ofNumber(number); ok {
		return f
	}
	f, _ := t.use(phone.Number{})
	return f
}

// use counts down the fault set for number.
func (t *faults) use(number phone.Number) (Fault, bool) {
	i := t.index(number)
	if i < 0 {
		return Fault{}, false
	}
	f := t.active[i]
	switch f.Times {
	case 0: // until cleared
	case 1:
		t.remove(number)
	default:
		t.active[i].Times--
	}
	return f, true
}

func (t *faults) remove(number phone.Number) {
	if i := t.index(number); i >= 0 {
		t.active = slices.Delete(t.active, i, i+1)
	}
}

func (t *faults) index(number phone.Number) int {
	return slices.IndexFunc(t.active, func(f Fault) bool { return f.Phone == number })
}
