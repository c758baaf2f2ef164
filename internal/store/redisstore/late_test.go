package redisstore

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
	"smsd/lua"
)

// change is a call that changes something. It can be made once.
type change struct {
	name string
	do   func(context.Context) error
	end  error // of its success, where that is not nil
}

// changes are all kinds of them, each on something of its own that is there.
func changes(t *testing.T, c *Client) []change {
	t.Helper()
	ctx, taken, codes := context.Background(), map[string]throttle.Taken{}, c.Codes()
	all := c.scripts
	for _, s := range []lua.Script{all.Take, all.Send, all.Verify, all.Refund, all.Reset, all.CodePut, all.CodeVerify, all.CodeAmend, all.CodeDelete, all.Announce, all.Index} {
		if err := c.servers.layout().primaries[0].redis.ScriptLoad(ctx, s.Text).Err(); err != nil { // or it would not run late
			t.Fatal(err)
		}
	}
	key := func(name string) throttle.Group { return limited(name, 9, time.Hour) }
	for _, name := range []string{"take", "force", "refund", "reset"} {
		take := throttle.Take{ID: 1, Groups: []throttle.Group{key(name)}}
		taken[name], _ = c.Counters().Take(ctx, take)
	}
	for _, name := range []string{"right", "wrong", "charged right", "charged wrong", "amend", "delete"} {
		if _, err := codes.Put(ctx, name, record()); err != nil {
			t.Fatal(err)
		}
	}
	take := func(name string, force bool) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := c.Counters().Take(ctx, throttle.Take{ID: 2, Groups: []throttle.Group{key(name)}, Force: force})
			return err
		}
	}
	verify := func(name string, code byte) func(context.Context) error {
		return func(ctx context.Context) error { _, err := codes.Verify(ctx, name, guess(code)); return err }
	}
	charged := func(name string, code byte) func(context.Context) error {
		return func(ctx context.Context) error {
			take := guessOf(name, code, key(name), key(name+" too"))
			if _, err := c.CountersBesideCodes().Take(ctx, take); err != nil {
				return err
			}
			return take.Errand.(*sms.VerifyErrand).Err
		}
	}
	return []change{
		{"take", take("take", false), nil},
		{"force", take("force", true), nil},
		{"send", func(ctx context.Context) error {
			_, err := c.CountersBesideCodes().Take(ctx, sendOf("send", key("send"), key("sender")))
			return err
		}, nil},
		{"charged right", charged("charged right", 1), nil},
		{"charged wrong", charged("charged wrong", 9), &sms.IncorrectError{AttemptsLeft: 4}},
		{"refund", func(ctx context.Context) error {
			return c.Counters().Refund(ctx, throttle.Refund{ID: 1, At: taken["refund"].At, Groups: []throttle.Group{key("refund")}})
		}, nil},
		{"reset", func(ctx context.Context) error {
			return counters{c}.remove(ctx, []string{c.keys.counter(key("reset").Key)})
		}, nil},
		{"announce", func(ctx context.Context) error { return c.announce(ctx, []throttle.Tag{"a-tag"}) }, nil},
		{"put", func(ctx context.Context) error { _, err := codes.Put(ctx, "put", record()); return err }, nil},
		{"right", verify("right", 1), nil},
		{"wrong", verify("wrong", 9), &sms.IncorrectError{AttemptsLeft: 4}},
		{"amend", func(ctx context.Context) error { return codes.Amend(ctx, "amend", sms.Amendment{Code: sms.Hash{3}}) }, nil},
		{"delete", func(ctx context.Context) error { return codes.Delete(ctx, "delete") }, nil},
		{"index", func(ctx context.Context) error { c.indexCheck = []byte("check"); return c.checkIndex(ctx) }, nil},
	}
}

// succeed makes the change, which must show in what is stored.
func (ch change) succeed(t *testing.T, server *redis.Client) {
	t.Helper()
	before := contents(t, server)
	if err := ch.do(context.Background()); !reflect.DeepEqual(err, ch.end) {
		t.Errorf("%s: %v, want %v", ch.name, err, ch.end)
	}
	if reflect.DeepEqual(contents(t, server), before) {
		t.Errorf("%s changed nothing", ch.name)
	}
}

// A server that was frozen does what has queued when it thaws: nothing of it may count any more, since a script
// that is past its deadline changes nothing. (redis_rate#60, envoy#1188, Truxify PR 1218)
func TestWhatAFrozenServerDoesLaterChangesNothing(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	ready := func() {
		if err := c.Ping(context.Background()); err != nil { // so that a connection is ready
			t.Fatal(err)
		}
	}
	for _, ch := range changes(t, c) {
		before := contents(t, server)
		sentInTime(t, server, ready, func(in time.Duration) {
			s.Freeze()
			start := time.Now()
			err := ch.do(within(t, in))
			took := time.Since(start)
			s.Thaw()
			if wantUnavailable(t, err); took > in+10*time.Second { // a read's own time-out is the budget: 30 s
				t.Errorf("%s: answered after %s", ch.name, took)
			}
		})
		if after := contents(t, server); !reflect.DeepEqual(after, before) {
			t.Errorf("%s happened late:\n%q\n%q", ch.name, before, after)
		}
		ch.succeed(t, server)
	}
}

// The same without a freeze: the client believes the server's clock to be a minute behind, and with it
// every deadline. The first answer puts it right, and the call is made again, once.
func TestServerClockSetForwardCostsOneTrip(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	for _, ch := range changes(t, c) {
		c.servers.layout().primaries[0].clock.offset.Add(-int64(time.Minute))
		ch.succeed(t, server)
	}
}

func TestCallPastItsDeadlineIsUnavailable(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	all := changes(t, c)
	before := contents(t, server)
	for _, ch := range all {
		ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
		wantUnavailable(t, ch.do(ctx))
		cancel()
	}
	if after := contents(t, server); !reflect.DeepEqual(after, before) {
		t.Errorf("something happened:\n%q\n%q", before, after)
	}
}

// Late twice is late: the call is not made a third time.
func TestLateTwiceIsUnavailable(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL())
	c.scripts.Take.Text = "redis.call('INCR', 'calls') return {-1, redis.call('TIME')[1] * 1000}"
	c.scripts.Take.SHA = "0000000000000000000000000000000000000000" // so that the text is sent
	_, err := c.Counters().Take(context.Background(), takeOf(limited("p", 9, time.Hour)))
	wantUnavailable(t, err)
	if !errors.Is(err, errLate) {
		t.Errorf("got %v, want %v in it", err, errLate)
	}
	if calls := raw(t, s).Get(context.Background(), "calls").Val(); calls != "2" {
		t.Errorf("called %s times, want 2", calls)
	}
}
