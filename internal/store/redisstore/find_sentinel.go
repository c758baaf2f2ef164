package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/redis/go-redis/v9"
)

// sentinelFinder asks sentinels who the primary is.
type sentinelFinder struct {
	t         *topology
	master    string
	sentinels []watcher
}

// watcher is one sentinel.
type watcher struct {
	address string
	client  *redis.SentinelClient
}

func newSentinelFinder(t *topology, at target, o Options) *sentinelFinder {
	f := &sentinelFinder{t: t, master: at.master}
	for _, address := range at.addresses {
		s := settings(at.server, address, o)
		s.DB, s.Username, s.Password, s.PoolSize = 0, at.user, at.password, 1
		f.sentinels = append(f.sentinels, watcher{address, redis.NewSentinelClient(s)})
	}
	return f
}

// said is what one sentinel says.
type said struct {
	address string
	epoch   int // of the failover that made it the primary: the highest is the latest
	err     error
}

// errNoMaster is a sentinel that watches others.
var errNoMaster = errors.New("redis sentinel: no primary of that name is watched")

// sentinelError is what went wrong with a sentinel, and not with the servers that hold keys: it has a password of its own.
type sentinelError struct {
	address string
	err     error
}

func (e sentinelError) Error() string { return fmt.Sprintf("sentinel %s: %v", e.address, e.err) }
func (e sentinelError) Unwrap() error { return e.err }

// find asks all sentinels at once, and believes the one that knows of the latest failover: one that was cut off
// from the others must not lead back to a former primary.
func (f *sentinelFinder) find(ctx context.Context) (*layout, error) {
	best := said{epoch: -1, err: errNoMaster}
	for _, s := range f.askAll(ctx) {
		if best.worse(s) {
			best = s
		}
	}
	if best.err != nil {
		return nil, best.err
	}
	return whole(f.t.fleet.node(best.address)), nil
}

// askAll returns what each says.
func (f *sentinelFinder) askAll(ctx context.Context) []said {
	ctx, cancel := context.WithTimeout(ctx, f.t.budget/lookShare)
	defer cancel()
	all := make([]said, len(f.sentinels))
	var work sync.WaitGroup
	for i, s := range f.sentinels {
		work.Go(func() { all[i] = f.ask(ctx, s) })
	}
	work.Wait()
	return all
}

// worse: any answer is better than an error, a later failover better than an earlier one.
func (s said) worse(than said) bool {
	if s.err != nil {
		return than.err == nil || !refusal(s.err)
	}
	return than.err == nil && than.epoch > s.epoch
}

func (f *sentinelFinder) ask(ctx context.Context, s watcher) said {
	fields, err := s.client.Master(ctx, f.master).Result()
	if err != nil {
		return said{err: sentinelError{s.address, err}}
	}
	epoch, err := strconv.Atoi(fields["config-epoch"])
	if err != nil || fields["ip"] == "" || fields["port"] == "" {
		return said{err: errReply}
	}
	return said{address: net.JoinHostPort(fields["ip"], fields["port"]), epoch: epoch}
}

func (f *sentinelFinder) close() {
	for _, s := range f.sentinels {
		_ = s.client.Close()
	}
}
