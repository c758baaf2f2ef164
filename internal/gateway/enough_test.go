package gateway_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
)

// hadEnough is the word of a carrier on a number that must wait.
func hadEnough(wait time.Duration) error {
	return &gateway.Error{Reason: gateway.Throttled, Sent: gateway.NotSent, RetryAfter: wait}
}

// Who is told to wait is charged nothing, and may ask at once again, a hundred times a second: the carrier is not asked meanwhile, so
// that its rate and its patience are left for others.
func TestThrottledNumberIsAskedForOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ wait, asked time.Duration }{
		{30 * time.Second, 30 * time.Second}, {24 * time.Hour, time.Minute}, {0, time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			only := newCarrier()
			only.says = func(string) error { return hadEnough(c.wait) }
			r := broken(t, registry, only)
			for i := range 100 {
				calls, err := only.asked(r, china)
				e := failure(t, err)
				passed := time.Duration(i) * c.asked / 100
				if want := max(0, c.wait-passed); e.Reason != gateway.Throttled || e.Sent != gateway.NotSent || e.RetryAfter != want || (calls == 1) != (i == 0) {
					t.Fatalf("%s later: %d calls, %v, wait %s, want %s", passed, calls, err, e.RetryAfter, want)
				}
				if strings.Contains(e.Error(), "138") {
					t.Error(e)
				}
				time.Sleep(c.asked / 100)
			}
			wantMetric(t, registry, `smsd_gateway_skipped_total{gateway="g1",why="limit"}`, 99)
			if calls, _ := only.asked(r, china); calls != 1 {
				t.Errorf("%s later it was not asked", c.asked)
			}
		})
	}
}

// Another number, and another text to the same one, are another matter.
func TestOthersThanTheThrottledAreAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		only.says = func(string) error { return hadEnough(time.Minute) }
		r := broken(t, nil, only)
		for i := range 20 {
			d := to(another(i / 2))
			d.Message.Scene = fmt.Sprint("scene", i%2)
			_, _ = r.Send(t.Context(), d)
		}
		if n := only.calls.Load(); n != 20 {
			t.Errorf("asked %d times", n)
		}
	})
}
