package httpapi

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"smsd/internal/idempotency"
	"smsd/internal/policy"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// 50 requests at once under one key: one message, one sms_id.
func TestParallelSendsUnderOneKey(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	sendsOnce(t, a)
	a.want(a.sendUnder("k", alice), 200, "")
}

// The same over two instances, with limits that would let one message pass, or all of them.
func TestParallelSendsOverTwoInstances(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]int{"one may pass": 1, "all may pass": 1000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, other := newPair(t, phoneHour(t, limit))
			sendsOnce(t, one, other)
		})
	}
}

// phoneHour is a policy with one limit.
func phoneHour(t *testing.T, limit int) *sms.Policy {
	t.Helper()
	p, _, err := policy.Parse(fmt.Appendf(nil, `
limits: [{name: phone-hour, by: [phone], limit: %d, window: 1h}]
scenes: {login: {code: {length: 6, ttl: 5m, attempts: 5}, countries: ["*"], number_types: [mobile], templates: {en: "{{.Code}}"}}}
`, limit))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sendsOnce sends 50 times at once under one key, to each instance in turn.
func sendsOnce(t *testing.T, instances ...*api) {
	t.Helper()
	ids := &sync.Map{}
	got := parallel(50, func(i int) *reply { return noting(ids, instances[i%len(instances)].sendUnder("k", alice)) })
	if got["200 "] < 1 || got["200 "]+got["409 request_in_progress"] != 50 || lenOf(ids) != 1 {
		t.Errorf("answers %v, %d sms_ids", got, lenOf(ids))
	}
	messages := 0
	for _, a := range instances {
		messages += len(a.messages())
	}
	if messages != 1 {
		t.Errorf("%d messages", messages)
	}
}

// One verify succeeds, and all that carry its key hear of it, on either instance.
func TestParallelVerifiesUnderOneKey(t *testing.T) {
	t.Parallel()
	one, other := newPair(t, policy.BuiltIn())
	id, code := one.sent(alice)
	bodies := &sync.Map{}
	got := parallel(50, func(i int) *reply {
		r := []*api{one, other}[i%2].verifyUnder("k", id, code)
		if r.status == http.StatusOK {
			bodies.Store(string(r.body), true)
		}
		return r
	})
	if got["200 "] < 1 || got["200 "]+got["409 request_in_progress"] != 50 || lenOf(bodies) != 1 {
		t.Errorf("answers %v, %d different ones", got, lenOf(bodies))
	}
}

// patience is how long an instance waits for a twin elsewhere that is slow to begin: no test depends on it.
const patience = time.Minute

// fleet is instances over the same policy and stores.
type fleet struct {
	policy   *sms.Policy
	counters throttle.Store
	codes    sms.Codes
}

// instance is one more, with its own connections to the place of entries; linger is as in [setup].
func (f *fleet) instance(t *testing.T, place idempotency.Store, linger time.Duration) *api {
	return newAPI(t, func(s *setup) {
		s.policy, s.entries, s.linger = f.policy, place, linger
		s.counters = func(own throttle.Store) throttle.Store {
			if f.counters == nil {
				f.counters = own
			}
			return f.counters
		}
		s.codes = func(own sms.Codes) sms.Codes {
			if f.codes == nil {
				f.codes = own
			}
			return f.codes
		}
	})
}

// newPair is two instances that are patient, over one place of entries, or each with its own way to it.
func newPair(t *testing.T, p *sms.Policy, places ...idempotency.Store) (one, other *api) {
	if len(places) == 0 {
		place := openEntries(t)
		places = []idempotency.Store{place, place}
	}
	f := &fleet{policy: p}
	return f.instance(t, places[0], patience), f.instance(t, places[1], patience)
}

// noting keeps the sms_id of a success.
func noting(ids *sync.Map, r *reply) *reply {
	if r.status == http.StatusOK {
		ids.Store(r.text("sms_id"), true)
	}
	return r
}

func lenOf(m *sync.Map) (n int) {
	m.Range(func(any, any) bool { n++; return true })
	return n
}
