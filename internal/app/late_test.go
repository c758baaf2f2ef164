package app

import (
	"errors"
	"testing"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Before Redis was reached, every call says that nobody can tell: no refusal, no wrong code, no success.
func TestWhatWasNotReachedIsUnavailable(t *testing.T) {
	t.Parallel()
	ctx, l := t.Context(), &late{}
	counters, codes := lateCounters{l}, lateCodes{l}
	_, take := counters.Take(ctx, throttle.Take{})
	_, peek := counters.Peek(ctx, throttle.Take{})
	for name, err := range map[string]error{
		"take": take, "peek": peek, "refund": counters.Refund(ctx, throttle.Refund{}), "reset": counters.Reset(ctx, "tag"),
	} {
		if !errors.Is(err, throttle.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, put := codes.Put(ctx, "id", sms.NewRecord{})
	_, get := codes.Get(ctx, "id")
	_, verify := codes.Verify(ctx, "id", sms.Guess{})
	for name, err := range map[string]error{
		"put": put, "get": get, "verify": verify, "amend": codes.Amend(ctx, "id", sms.Amendment{}), "delete": codes.Delete(ctx, "id"),
	} {
		if !errors.Is(err, sms.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l.close() != nil || l.warnings() != nil {
		t.Error("something is there to close or to warn of")
	}
}
