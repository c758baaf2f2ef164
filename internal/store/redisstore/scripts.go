package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/lua"
)

// call is one run of a script. The first two arguments, the clock and not_after, are filled in by run.
type call struct {
	script *lua.Script
	keys   []string
	args   []any // those from ARGV[3] on
	reads  bool  // it changes nothing, so it is never late
	value  bool  // it answers with one text, in which a value stands
	tail   bool  // it answers with numbers, and may put such a text behind them
}

// key returns the first key; its server has the others too.
func (k call) key() string {
	if len(k.keys) == 0 {
		return ""
	}
	return k.keys[0]
}

// reply is a script's answer behind its status and the server's clock.
type reply struct {
	status int64
	at     time.Time // the store's clock: the server's, or the one that replaces it
	ints   []int64
	value  string
}

const statusLate = -1

// run calls a script, within ctx's deadline or the budget, whichever is nearer.
func (c *Client) run(ctx context.Context, k call) (reply, error) {
	begun := time.Now()
	ctx = bounded(ctx, begun, c.budget)
	r, err := c.try(ctx, k)
	if err == nil && r.status == statusLate {
		// Nothing was changed, and the reply has brought the server's clock along. If that had moved, and
		// the caller still waits, the second call will do.
		if r, err = c.try(ctx, k); err == nil && r.status == statusLate {
			err = errLate
		}
	}
	c.metrics.called(k.script.Name, begun, err)
	return r, err
}

// try sends the script to the server that holds the keys of k, and again where an answer proves that nothing
// was executed.
func (c *Client) try(ctx context.Context, k call) (reply, error) {
	n, err := c.servers.holder(ctx, k.key())
	for way, tries := (route{node: n}), 0; err == nil; tries++ {
		var r reply
		if r, err = c.tryAt(ctx, way, k); err == nil {
			return r, nil
		}
		way, err = c.servers.reroute(ctx, way, k.key(), tries, err)
	}
	return reply{}, err
}

// tryAt sends the script's name, and its text if the server does not know it.
func (c *Client) tryAt(ctx context.Context, way route, k call) (reply, error) {
	r, err := c.send(ctx, way, k, "evalsha", k.script.SHA)
	if unknownScript(err) {
		r, err = c.send(ctx, way, k, "eval", k.script.Text)
	}
	return r, err
}

func (c *Client) send(ctx context.Context, way route, k call, command any, script string) (reply, error) {
	sent := time.Now()
	if err := ended(ctx, sent); err != nil {
		return reply{}, err
	}
	now, notAfter := c.replacedNow(), int64(0)
	if !k.reads {
		notAfter = way.node.clock.notAfter(ctx, sent)
	}
	q := c.requests.take()
	r, t, err := receive(ctx, way, k, q.fill(k, command, script, now, notAfter))
	if err != nil {
		return reply{}, err
	}
	c.requests.free(q)
	way.node.clock.learn(t.sent, t.received, r.at.UnixMilli())
	if now != 0 {
		r.at = time.UnixMilli(now).UTC()
	}
	return r, nil
}

// replacedNow returns the test's clock in ms, or 0.
func (c *Client) replacedNow() int64 {
	if c.now == nil {
		return 0
	}
	return c.now().UnixMilli()
}

func receive(ctx context.Context, way route, k call, args []any) (reply, trip, error) {
	switch {
	case k.value:
		return receiveValue(ctx, way, args)
	case k.tail:
		return receiveTail(ctx, way, args)
	}
	cmd := redis.NewIntSliceCmd(ctx, args...)
	t, err := way.do(ctx, cmd)
	if err != nil {
		return reply{}, t, err
	}
	ints := cmd.Val()
	if len(ints) < 2 {
		return reply{}, t, errReply
	}
	return reply{status: ints[0], at: time.UnixMilli(ints[1]).UTC(), ints: ints[2:]}, t, nil
}

func receiveValue(ctx context.Context, way route, args []any) (reply, trip, error) {
	cmd := redis.NewStringCmd(ctx, args...)
	t, err := way.do(ctx, cmd)
	if err != nil {
		return reply{}, t, err
	}
	r, err := valueReply(cmd.Val())
	return r, t, err
}

// valueReply takes an answer apart as code_value.lua has it: the status with its sign, the server's clock, and the value.
func valueReply(text string) (reply, error) {
	in := reader{rest: text}
	status, at := in.number(1), in.instant()
	if in.short {
		return reply{}, errReply
	}
	return reply{status: int64(int8(status)), at: at, value: in.rest}, nil
}

// receiveTail leaves the text whole: the numbers say what it is.
func receiveTail(ctx context.Context, way route, args []any) (reply, trip, error) {
	cmd := redis.NewSliceCmd(ctx, args...)
	t, err := way.do(ctx, cmd)
	if err != nil {
		return reply{}, t, err
	}
	ints, text, whole := apart(cmd.Val())
	if !whole || len(ints) < 2 {
		return reply{}, t, errReply
	}
	return reply{status: ints[0], at: time.UnixMilli(ints[1]).UTC(), ints: ints[2:], value: text}, t, nil
}

// apart returns the numbers of an answer, and the text behind them, if there is one.
func apart(all []any) (ints []int64, text string, whole bool) {
	if last := len(all) - 1; last >= 0 {
		if tail, is := all[last].(string); is {
			text, all = tail, all[:last]
		}
	}
	ints = make([]int64, len(all))
	for i, one := range all {
		if ints[i], whole = one.(int64); !whole {
			return nil, "", false
		}
	}
	return ints, text, true
}
