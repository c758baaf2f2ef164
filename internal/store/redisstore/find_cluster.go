package redisstore

import (
	"context"
	"errors"
	"math/rand/v2"
)

// clusterFinder asks the nodes of a cluster who serves which slot.
type clusterFinder struct {
	t     *topology
	seeds []string
}

// lookShare is the part of a look's time that one server may take of it: the others may be well.
const lookShare = 4

// find asks one node after the other, until one knows. Those that serve slots come first, in any order.
func (f *clusterFinder) find(ctx context.Context) (*layout, error) {
	var first error
	for _, address := range f.candidates() {
		l, err := f.ask(ctx, f.t.fleet.node(address))
		if err == nil {
			return l, nil
		}
		if first == nil || refusal(err) {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

func (f *clusterFinder) candidates() []string {
	var all []string
	if l := f.t.layout(); l != nil {
		for _, n := range l.primaries {
			all = append(all, n.address)
		}
	}
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return append(all, f.seeds...)
}

// errNoSlots is a node that knows of no other: one that has been reset, or has yet to join.
var errNoSlots = errors.New("redis cluster: the node knows of no slot that is served")

func (f *clusterFinder) ask(ctx context.Context, n *node) (*layout, error) {
	ctx, cancel := context.WithTimeout(ctx, f.t.budget/lookShare)
	defer cancel()
	ranges, err := n.redis.ClusterSlots(ctx).Result()
	if err != nil {
		return nil, err
	}
	l := spread()
	for _, r := range ranges {
		if len(r.Nodes) > 0 {
			l.add(r.Start, r.End, f.t.fleet.node(absolute(r.Nodes[0].Addr, n)), len(r.Nodes)-1)
		}
	}
	if len(l.primaries) == 0 {
		return nil, errNoSlots
	}
	return l, nil
}
