package mock_test

import (
	"context"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/mock"
)

// faultOf says how the mock gateway plays each scenario; it has nothing like the others.
var faultOf = map[gatewaytest.Scenario]string{
	gatewaytest.Accepted:    "",
	gatewaytest.BadNumber:   mock.Reject,
	gatewaytest.Throttled:   mock.Throttle,
	gatewaytest.Unreachable: mock.Unavailable,
	gatewaytest.LostBefore:  mock.TimeoutBeforeAccept,
	gatewaytest.LostAfter:   mock.TimeoutAfterAccept,
	gatewaytest.Malformed:   mock.Malformed,
	gatewaytest.Silent:      mock.Slow,
}

func TestConformance(t *testing.T) {
	gatewaytest.Run(t, gatewaytest.Harness{Open: func(t *testing.T, v *gatewaytest.Vendor) gateway.Driver {
		kind, has := faultOf[v.Scenario]
		if !has {
			return nil
		}
		g := mock.NewWith(mock.Options{
			// The clock is read once for each message that is taken.
			Now:   func() time.Time { v.Reached(); return time.Now() },
			Sleep: silence,
		})
		if kind != "" {
			set(t, g, mock.Fault{Kind: kind})
		}
		return g
	}})
}

// silence is a wait without end.
func silence(ctx context.Context, d time.Duration) error {
	if d > 0 {
		<-ctx.Done()
	}
	return ctx.Err()
}
