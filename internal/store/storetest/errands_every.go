package storetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// WithErrands returns s, which does errands, with a new one for every take: so that what is tested of s is tested of
// takes with errands. Their answers must say that the errand was done if and only if the event was allowed.
func WithErrands(t *testing.T, s throttle.Store) throttle.Store { return &withErrands{Store: s, t: t} }

type withErrands struct {
	throttle.Store
	t *testing.T
	n atomic.Int64
}

func (w *withErrands) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if t.Force {
		return w.Store.Take(ctx, t)
	}
	t.Errand = &sms.PutErrand{ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", w.n.Add(1)), Record: typical()}
	taken, err := w.Store.Take(ctx, t)
	if taken.ErrandDone != taken.Allowed {
		w.t.Errorf("allowed %v, the errand done %v", taken.Allowed, taken.ErrandDone)
	}
	taken.ErrandDone = false // as of a take without one
	return taken, err
}
