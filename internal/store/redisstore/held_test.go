package redisstore

import (
	"context"
	"reflect"
	"testing"
	"time"

	"smsd/internal/testserver"
)

// recovered waits until the store answers again: after a fault calls may fail fast for a while.
func recovered(t *testing.T, c *Client) {
	t.Helper()
	other := limited("another key", 9, time.Hour)
	eventually(t, "recovery", func() bool {
		_, err := c.Counters().Peek(context.Background(), takeOf(other))
		return err == nil
	})
}

// A command that the network delivers late, when its caller has long been answered and is gone, changes nothing;
// the server itself was well all the time.
func TestWhatIsDeliveredLateChangesNothing(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	c, server := open(t, p.URL()), raw(t, s)
	for _, ch := range changes(t, c) {
		before := contents(t, server)
		ready := func() { recovered(t, c) } // so that a connection is ready, too
		sentInTime(t, server, ready, func(in time.Duration) {
			calls := scriptCalls(t, server)
			p.Hold()
			wantUnavailable(t, ch.do(within(t, in)))
			if now := scriptCalls(t, server); now != calls {
				t.Fatalf("%s was not held up: %s, before it %s", ch.name, now, calls)
			}
			p.Pass()
		})
		if after := contents(t, server); !reflect.DeepEqual(after, before) {
			t.Errorf("%s happened late:\n%q\n%q", ch.name, before, after)
		}
		recovered(t, c)
		ch.succeed(t, server)
	}
}
