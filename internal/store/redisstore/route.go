package redisstore

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/pause"
)

// route is the way that a call takes.
type route struct {
	node   *node
	asking bool // the key is on its way to node, which answers those who say so
}

// do sends cmd; see node.do.
func (r route) do(ctx context.Context, cmd redis.Cmder) (trip, error) {
	if r.asking {
		return r.node.ask(ctx, cmd)
	}
	return r.node.do(ctx, cmd)
}

// apart is do on another connection than what queues for the node: for what must hold up nobody.
func (r route) apart(ctx context.Context, cmd redis.Cmder) error {
	if r.asking {
		_, err := r.node.ask(ctx, cmd)
		return err
	}
	return r.node.redis.Process(ctx, cmd)
}

const (
	// maxTries bounds how often one call goes out: a slot that moves costs one or two more, and a map of the cluster that
	// is out of date another.
	maxTries = 5
	// firstPause is doubled for each further try: 10, 20, 40 and 80 ms fit into the budget, and a failover takes longer
	// than any of it.
	firstPause = 10 * time.Millisecond
)

// reroute says where to send a call again whose answer proves that nothing was executed, and else returns the error:
// a call whose answer is lost may have been executed, and is never sent twice.
func (t *topology) reroute(ctx context.Context, was route, key string, tries int, err error) (route, error) {
	if t.find == nil || tries+1 == maxTries {
		return route{}, err
	}
	switch {
	case redis.HasErrorPrefix(err, "MOVED"):
		to, _ := redis.IsMovedError(err)
		n := t.fleet.node(absolute(to, was.node))
		t.layout().moved(key, n)
		t.suspect()
		return route{node: n}, nil
	case redis.HasErrorPrefix(err, "ASK"):
		to, _ := redis.IsAskError(err)
		return route{node: t.fleet.node(absolute(to, was.node)), asking: true}, nil
	case notNow(err):
		return t.elsewhere(ctx, was, key, tries, err)
	case notSent(err):
		return t.elsewhere(ctx, was, key, maxTries, err)
	case !refusal(err):
		t.suspect()
	}
	return route{}, err
}

// notNow: the server executes nothing at present, since it is no primary any more, or not yet.
func notNow(err error) bool {
	return redis.IsClusterDownError(err) || redis.IsLoadingError(err) || redis.IsMasterDownError(err) || redis.IsReadOnlyError(err)
}

// notSent: there was no connection to send anything on.
func notSent(err error) bool {
	op, is := errors.AsType[*net.OpError](err)
	return is && op.Op == "dial"
}

// elsewhere looks whether another server has the key by now; if not, it waits a moment for the same one, unless there
// were too many tries.
func (t *topology) elsewhere(ctx context.Context, was route, key string, tries int, err error) (route, error) {
	if t.refresh(ctx) != nil {
		return route{}, err
	}
	n := t.layout().holder(key)
	if n != nil && n != was.node {
		return route{node: n}, nil
	}
	waiting, cancel := timed(ctx)
	defer cancel()
	if n == nil || tries >= maxTries || !pause.For(waiting, firstPause<<tries) {
		return route{}, err
	}
	return route{node: n}, nil
}
