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
	r.hold("first")
	short := r.each(1, func(int) error {
		ctx := silent(300 * time.Millisecond)
		_, err := r.node.do(ctx, redis.NewStringSliceCmd(ctx, "blpop", "second", 0))
		return err
	})
	r.waiting(1)
	others := r.each(5, func(int) error {
		ctx := silent(time.Minute)
		_, err := r.node.do(ctx, redis.NewStatusCmd(ctx, "ping"))
		return err
	})
	r.waiting(6)
	r.release("first")
	r.waiting(0)
	if err := short()[0]; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller whose time is up: %v", err)
	}
	r.release("second")
	wantNone(t, others())
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
