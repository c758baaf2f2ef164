package redisstore

import (
	"context"
	"io"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// crossing is a topology whose keys a holds, until a look finds them with holds.
type crossing struct {
	*topology
	a, b  *node
	holds atomic.Pointer[node]
	looks atomic.Int32
	asked *redis.Client
}

func newCrossing(t *testing.T) *crossing {
	t.Helper()
	s, other := testserver.Redis(t), testserver.Redis(t)
	c := open(t, s.URL())
	x := &crossing{topology: newTopology(c.servers.fleet, time.Minute), asked: raw(t, s)}
	x.a, x.b = c.servers.layout().primaries[0], c.servers.fleet.node(other.Socket())
	x.found.Store(whole(x.a))
	x.holds.Store(x.b)
	x.find = func(context.Context) (*layout, error) {
		x.looks.Add(1)
		return whole(x.holds.Load()), nil
	}
	t.Cleanup(func() { x.end(); x.work.Wait() })
	return x
}

// says is an error as a server gives it.
func (x *crossing) says(text string) error {
	return x.asked.Eval(context.Background(), "return redis.error_reply(ARGV[1])", nil, text).Err()
}

func (x *crossing) reroute(tries int, err error) (route, error) {
	way, err := x.topology.reroute(context.Background(), route{node: x.a}, "key", tries, err)
	x.work.Wait() // for looks in the background
	return way, err
}

var notConnected = &net.OpError{Op: "dial", Err: os.ErrNotExist}

// A call goes out again exactly where its answer proves that nothing was executed.
func TestReroute(t *testing.T) {
	t.Parallel()
	x := newCrossing(t)
	for _, c := range []struct {
		err    error
		to     *node // nil: nowhere
		asking bool
		looks  int32
		moved  bool // the key is known to be there from now on
	}{
		{err: x.says("MOVED 7 " + x.b.address), to: x.b, looks: 1, moved: true},
		{err: x.says("ASK 7 " + x.b.address), to: x.b, asking: true},
		{err: x.says("CLUSTERDOWN The cluster is down"), to: x.b, looks: 1, moved: true},
		{err: x.says("LOADING Redis is loading the dataset in memory"), to: x.b, looks: 1, moved: true},
		{err: x.says("MASTERDOWN Link with MASTER is down"), to: x.b, looks: 1, moved: true},
		{err: x.says("READONLY You can't write against a read only replica."), to: x.b, looks: 1, moved: true},
		{err: notConnected, to: x.b, looks: 1, moved: true},
		{err: &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, looks: 1, moved: true},
		{err: io.EOF, looks: 1, moved: true},
		{err: x.says("OOM command not allowed when used memory > 'maxmemory'.")},
		{err: x.says("NOSCRIPT No matching script.")},
		{err: x.says("TRYAGAIN Multiple keys request during rehashing of slot")},
	} {
		x.found.Store(whole(x.a))
		x.looks.Store(0)
		x.looked = time.Time{}
		way, err := x.reroute(0, c.err)
		if way.node != c.to || way.asking != c.asking || (err == nil) != (c.to != nil) {
			t.Errorf("%v: %+v, %v", c.err, way, err)
		}
		if err != nil && err != c.err {
			t.Errorf("%v became %v", c.err, err)
		}
		if x.looks.Load() != c.looks || (x.layout().holder("key") == x.b) != c.moved {
			t.Errorf("%v: %d looks, want %d", c.err, x.looks.Load(), c.looks)
		}
		if _, err := x.reroute(maxTries-1, c.err); err != c.err {
			t.Errorf("%v: a call goes out for the sixth time: %v", c.err, err)
		}
	}
	x.find = nil // a server alone is never left
	if _, err := x.reroute(0, x.says("LOADING")); err == nil {
		t.Error("a call of a server alone goes out again")
	}
}

// Where a look finds nobody else, a server that will answer in a moment is given it, and one that is not there is not.
func TestRerouteToTheSameServer(t *testing.T) {
	t.Parallel()
	x := newCrossing(t)
	x.holds.Store(x.a)
	loading := x.says("LOADING Redis is loading the dataset in memory")
	start := time.Now()
	way, err := x.reroute(1, loading)
	if took := time.Since(start); err != nil || way.node != x.a || took < 2*firstPause {
		t.Errorf("%+v, %v after %s", way, err, took)
	}
	if way, err := x.reroute(0, notConnected); err != error(notConnected) {
		t.Errorf("%+v, %v", way, err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if way, err := x.topology.reroute(ended, route{node: x.a}, "key", 0, loading); err != loading {
		t.Errorf("nobody waits: %+v, %v", way, err)
	}
	x.work.Wait() // its look goes on
	x.find = func(context.Context) (*layout, error) { return spread(), nil }
	if way, err := x.reroute(0, loading); err != loading {
		t.Errorf("nobody has it: %+v, %v", way, err)
	}
	if n, err := x.holder(context.Background(), "key"); n != nil || err == nil {
		t.Errorf("%v, %v", n, err)
	}
}

// A server that says where a key is now is believed before the next look.
func TestMovedKeyIsKnownAtOnce(t *testing.T) {
	t.Parallel()
	x := newCrossing(t)
	x.looked = time.Now().Add(time.Hour) // so that there is none
	way, err := x.reroute(0, x.says("MOVED 7 "+x.b.address))
	if err != nil || way.node != x.b || x.layout().holder("key") != x.b || x.looks.Load() != 0 {
		t.Errorf("%+v, %v, %d looks", way, err, x.looks.Load())
	}
}
