package gateway

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// call calls d and judges what comes of it. Nothing that d does, panics and all, gets past it: what is
// not known to be otherwise is ambiguous.
func call(ctx context.Context, d Driver, m Message) (o outcome) {
	defer func() {
		if v := recover(); v != nil {
			o = ambiguous(panicked(v))
		}
	}()
	accepted, err := d.Send(ctx, m)
	return judge(accepted, err, m)
}

func ambiguous(cause error) outcome {
	return outcome{failure: &Error{Reason: Ambiguous, Sent: MaybeSent, Err: cause}}
}

// judge reads a driver's answer. It asks for the type itself, not for one inside: of a wrapped or joined
// error nobody knows for which part NotSent holds.
func judge(accepted Accepted, err error, m Message) outcome {
	if err == nil {
		return outcome{accepted: Accepted{ProviderID: bounded(accepted.ProviderID), ByProviderID: accepted.ByProviderID}}
	}
	failure, ok := err.(*Error)
	switch {
	case !ok:
		return ambiguous(withheld(err, m))
	case failure == nil:
		return ambiguous(errors.New("the driver returned a nil *gateway.Error"))
	}
	failure = failure.checked()
	failure.Err = withheld(failure.Err, m)
	if holds(failure.Code, m.Code.Reveal()) {
		failure.Code = ""
	}
	return outcome{failure: failure}
}

// MaxProviderID is how long a carrier's id of a message may be, in bytes: far above what carriers use (some 20 to 64) and what
// anybody wants to store.
const MaxProviderID = 256

// bounded returns id, or nothing if it is too long: cut short it would match no receipt.
func bounded(id string) string {
	if len(id) > MaxProviderID {
		return ""
	}
	return id
}

// panicked says where a driver panicked, and no more of the value than its type: it may hold anything.
func panicked(v any) error {
	what := fmt.Sprintf("%T", v)
	if runtimeError, ok := v.(runtime.Error); ok {
		what = runtimeError.Error()
	}
	return fmt.Errorf("the driver panicked%s: %s", place(), what)
}

// place returns the function and the line that panicked, if they can be told.
func place() string {
	callers := make([]uintptr, 16)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for inPanic := false; ; {
		frame, more := frames.Next()
		inRuntime := strings.HasPrefix(frame.Function, "runtime.")
		if inPanic && !inRuntime {
			return fmt.Sprintf(" in %s, line %d", frame.Function, frame.Line)
		}
		inPanic = inPanic || frame.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
