package redisstore

import (
	"context"
	"fmt"
)

// leastPrimaries are needed for a majority when one dies: fewer put no replica in its place.
const leastPrimaries = 3

// cluster finds out whether the servers are what the URL says, and serve every slot.
func (e *examiner) cluster(context.Context) Checked {
	l := e.servers.layout()
	switch n := l.uncovered(); {
	case !e.clustered():
		return fine("not a server of a cluster: it holds every key")
	case e.servers.kind != cluster:
		return finding("begin the URL with redis+cluster:// (or rediss+cluster://)",
			"a server of a Redis Cluster: it holds the keys of its own slots only")
	case n > 0:
		return finding("give them to a primary (redis-cli --cluster fix)", "%d of %d slots are served by nobody", n, slotCount)
	case len(l.primaries) < leastPrimaries:
		return finding("make it three primaries or more", "%d of them: when one dies, no replica is put in its place", len(l.primaries))
	}
	return fine("%d slots on %d primaries", slotCount, len(l.primaries))
}

// leastSentinels are needed for a majority when one dies.
const leastSentinels = 3

// sentinels asks each of the URL, and finds out whether they agree.
func (e *examiner) sentinels(ctx context.Context) Checked {
	var silent, other int
	all := e.servers.sentinels.askAll(ctx)
	for _, s := range all {
		switch {
		case s.err != nil:
			silent++
		case s.address != e.node.address:
			other++
		}
	}
	seen := fmt.Sprintf("%d of %d of the URL know %s as the primary", len(all)-silent-other, len(all), e.node.address)
	switch {
	case silent > 0:
		return finding("see that every sentinel of the URL runs, watches the primary, and takes sentinel_password", "%s; %d do not answer", seen, silent)
	case other > 0:
		return finding("see that the sentinels reach each other", "%s; %d know another one", seen, other)
	case len(all) < leastSentinels:
		return finding("run three or more, and name them in the URL", "%s; with fewer than three, none is left to agree when one is lost", seen)
	}
	return fine("%s", seen)
}
