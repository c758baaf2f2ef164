package gateway_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
)

// What is over the pace of a gateway goes to the next one at once, and the clock gives the first its turn back.
func TestWhatIsOverThePaceGoesToTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewRegistry()
		first, second := accepts(), accepts()
		r, err := gateway.NewRouter(gateway.RouterOptions{Registerer: registry, Gateways: []gateway.Gateway{
			{Name: "g1", Driver: first, Rate: 2, Burst: 3}, {Name: "g2", Driver: second},
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		start := time.Now()
		for range 10 {
			if _, err := r.Send(t.Context(), to(china)); err != nil {
				t.Fatal(err)
			}
		}
		if first.calls.Load() != 3 || second.calls.Load() != 7 || time.Since(start) != 0 {
			t.Errorf("%d and %d calls in %s", first.calls.Load(), second.calls.Load(), time.Since(start))
		}
		wantMetric(t, registry, `smsd_gateway_skipped_total{gateway="g1",why="pace"}`, 7)
		wantMetric(t, registry, `smsd_gateway_failovers_total{gateway="g1",reason="temporary"}`, 7)
		time.Sleep(time.Second)
		for range 10 {
			_, _ = r.Send(t.Context(), to(china))
		}
		if first.calls.Load() != 5 {
			t.Errorf("%d calls a second later, want two more", first.calls.Load())
		}
	})
}

// At the last gateway what is over waits for its turn, a second at most, and what would wait longer fails at once, surely not sent. Of
// thirty messages at once at ten a second twenty get through; without a wait it would be ten.
func TestTheLastGatewaysPaceIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := accepts()
		r, err := gateway.NewRouter(gateway.RouterOptions{Gateways: []gateway.Gateway{{Name: "g1", Driver: only, Rate: 10}}})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var all sync.WaitGroup
		var late, refused atomic.Int32
		start := time.Now()
		for range 30 {
			all.Go(func() {
				_, err := r.Send(context.Background(), to(china))
				took := time.Since(start)
				switch {
				case took > time.Second:
					t.Errorf("one waited %s", took)
				case err != nil:
					if e := failure(t, err); e.Reason != gateway.Temporary || e.Sent != gateway.NotSent || took != 0 {
						t.Errorf("after %s: %v", took, err)
					}
					refused.Add(1)
				case took > 0:
					late.Add(1)
				}
			})
		}
		all.Wait()
		if only.calls.Load() != 20 || late.Load() != 10 || refused.Load() != 10 {
			t.Errorf("%d calls, %d of them late, %d refused", only.calls.Load(), late.Load(), refused.Load())
		}
		if _, err := r.Send(t.Context(), to(china)); err != nil { // the turns of those that were refused are free
			t.Error(err)
		}
	})
}

// A pace below one a second takes one at once all the same.
func TestASlowPaceTakesOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, err := gateway.NewRouter(gateway.RouterOptions{Gateways: []gateway.Gateway{{Name: "g1", Driver: accepts(), Rate: 0.1}}})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := r.Send(t.Context(), to(china)); err != nil {
			t.Error(err)
		}
		if _, err := r.Send(t.Context(), to(china)); err == nil {
			t.Error("two in ten seconds")
		}
	})
}
