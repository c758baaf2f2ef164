package throttle_test

import (
	"context"
	"errors"
	"testing"

	"smsd/internal/throttle"
)

// obliging does every errand of a take that is allowed, and keeps those that came.
type obliging struct {
	throttle.Store
	came []any
}

func (o *obliging) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	taken, err := o.Store.Take(ctx, t)
	o.came = append(o.came, t.Errand)
	taken.ErrandDone = t.Errand != nil && taken.Allowed
	return taken, err
}

// An errand goes along with its own request, and the reservation tells whether it was done, and when.
func TestErrandGoesAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	store := &obliging{Store: w.store}
	limiter, err := throttle.New(throttle.Options{Store: store, IndexSecret: secret, DenyClock: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	rules := compile(t, typical(), "login")
	reserve := func(phone string, errand any) (*throttle.Reservation, error) {
		p, err := limiter.Prepare(throttle.Request{
			Rules: rules, Event: throttle.Send, Scene: "login", Subjects: subjectsOf(phone, "203.0.113.7"),
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Carry(errand)
		return p.Reserve(t.Context())
	}
	res, err := reserve(victim, "an errand")
	if err != nil || !res.ErrandDone() || !res.At().Equal(w.clock.Now()) {
		t.Errorf("%v, %v: want it done now", res, err)
	}
	if res, err := reserve(nobody, nil); err != nil || res.ErrandDone() {
		t.Errorf("%v, %v: done, and there was none", res, err)
	}
	var denied *throttle.Denied
	if _, err := reserve(victim, "a second errand"); !errors.As(err, &denied) {
		t.Errorf("%v, want a refusal", err)
	}
	if len(store.came) != 2 || store.came[0] != "an errand" || store.came[1] != nil { // the deny cache refused the third
		t.Errorf("the store was given %v", store.came)
	}
}
