package redisstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// silent is a context whose deadline no timer tells of.
func silent(in time.Duration) context.Context {
	return ending{context.Background(), time.Now().Add(in)}
}

// Callers are told when their time is up, whoever's is first, though their contexts do not say so; and leave the queue.
func TestQueuedCallersAreToldOfTheirEnd(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.hold("gate")
	ping := func(in time.Duration) func() []error {
		return r.each(1, func(int) error {
			ctx := silent(in)
			_, err := r.node.do(ctx, redis.NewStatusCmd(ctx, "ping"))
			return err
		})
	}
	patient := ping(10 * time.Minute)
	r.waiting(1)
	for range 2 {
		if err := ping(50 * time.Millisecond)()[0]; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a caller whose time is up: %v", err)
		}
		r.waiting(1)
	}
	r.release("gate")
	wantNone(t, patient())
}

// So are those whose batch is out, and stays out for the others.
func TestCallersOnTheWireAreToldOfTheirEnd(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	for in := 100 * time.Millisecond; in < time.Minute; in *= 2 {
		short := newQueued(silent(in), redis.NewStringSliceCmd(context.Background(), "blpop", "gate", 0))
		other := newQueued(silent(time.Minute), redis.NewStatusCmd(context.Background(), "ping"))
		r.together(short, other)
		if <-short.done; !errors.Is(short.err, context.DeadlineExceeded) {
			t.Fatalf("the caller whose time is up: %v", short.err)
		}
		eventually(t, "the batch is out, or over", func() bool { return len(other.done) > 0 || r.blocked() == 1 })
		out := len(other.done) == 0
		r.release("gate")
		if <-other.done; other.err != nil {
			t.Errorf("the other one: %v", other.err)
		}
		if out {
			return
		}
		r.server.Del(context.Background(), "gate") // its time was up before the batch went out: once more, with twice the time
	}
	t.Error("the batch never went out in time")
}

// Memory is used again from call to call: whoever leaves, early or late, nobody gets the answer of another.
func TestEachCallerGetsItsOwnAnswer(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.patient(patience)
	wantNone(t, r.each(64, func(caller int) error {
		for n := range 100 {
			want := strconv.Itoa(caller*1000 + n)
			ctx := silent(rand.N(4 * time.Millisecond))
			cmd := redis.NewStringCmd(ctx, "echo", want)
			if _, err := r.node.do(ctx, cmd); err == nil && cmd.Val() != want {
				return errReply
			}
		}
		return nil
	})())
}
