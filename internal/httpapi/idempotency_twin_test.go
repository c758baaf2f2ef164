package httpapi

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/idempotency"
)

// quickTwin is a place for entries where, after the first look, a twin on another instance is quicker.
type quickTwin struct {
	idempotency.Store
	once sync.Once
	twin func()
}

func (q *quickTwin) Find(ctx context.Context, id idempotency.ID, now time.Time) (idempotency.Entry, error) {
	e, err := q.Store.Find(ctx, id, now)
	q.once.Do(func() { q.twin() })
	return e, err
}

// A twin on another instance was quicker after this one had looked: its charge, or its use of the code, is no refusal.
func TestTwinThatIsQuicker(t *testing.T) {
	t.Parallel()
	place := openEntries(t)
	quick := &quickTwin{Store: place}
	f := &fleet{policy: phoneHour(t, 1)}
	one, other := f.instance(t, quick, patience), f.instance(t, place, 0)
	var first *reply
	quick.twin = func() { first = other.sendUnder("k", alice) }
	again := one.sendUnder("k", alice)
	one.replays(again, first)
	id, code := first.text("sms_id"), other.code(first.text("sms_id"))
	quick.once, quick.twin = sync.Once{}, func() { first = other.verifyUnder("k", id, code) }
	one.replays(one.verifyUnder("k", id, code), first)
	other.want(other.sendUnder("k2", alice), 429, "rate_limited") // no twin ever begins, and so it is not the patient one that is asked
	other.want(other.verifyUnder("k2", id, code), 410, "code_used")
}

// Both are charged, and the twin begins first: this one is undone, and neither its client nor the operator is told of an outage.
func TestTwinThatBeginsFirst(t *testing.T) {
	t.Parallel()
	place := openEntries(t)
	quick := &quickTwin{Store: place}
	f := &fleet{policy: phoneHour(t, 1000)}
	one, other := f.instance(t, quick, patience), f.instance(t, place, 0)
	var first *reply
	quick.twin = func() { first = other.sendUnder("k", alice) }
	one.replays(one.sendUnder("k", alice), first)
	one.wantMessages(0)
	metrics := string(one.operate("GET", "/metrics", "").body)
	if !strings.Contains(metrics, `smsd_sends_total{action="send",outcome="repeated",scene="login"} 1`) {
		t.Errorf("not counted as repeated:\n%s", metrics)
	}
}
