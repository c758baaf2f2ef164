package redisstore

import (
	"strconv"
	"sync/atomic"
)

// layout says which primary holds which keys, as one look has found it. Safe for concurrent use.
type layout struct {
	owners    []atomic.Pointer[node] // by slot; one for all keys where there are no slots
	primaries []*node                // each once
	replicas  map[*node]int          // how many each primary has; nil: not known
}

// whole is the layout of one server that holds every key.
func whole(n *node) *layout {
	l := &layout{owners: make([]atomic.Pointer[node], 1), primaries: []*node{n}}
	l.owners[0].Store(n)
	return l
}

// spread is an empty layout of a cluster.
func spread() *layout {
	return &layout{owners: make([]atomic.Pointer[node], slotCount), replicas: map[*node]int{}}
}

// spread reports whether keys lie on several servers.
func (l *layout) spread() bool { return len(l.owners) > 1 }

// slot returns where key's owner stands.
func (l *layout) slot(key string) int {
	if !l.spread() {
		return 0
	}
	return slotOf(key)
}

// holder returns the primary that holds key; nil: nobody serves its slot.
func (l *layout) holder(key string) *node { return l.owners[l.slot(key)].Load() }

// moved notes that n holds key's slot. Other slots may have moved too, which the next look finds.
func (l *layout) moved(key string, n *node) { l.owners[l.slot(key)].Store(n) }

// add gives n the slots from first to last.
func (l *layout) add(first, last int, n *node, replicas int) {
	for slot := max(first, 0); slot <= min(last, slotCount-1); slot++ {
		l.owners[slot].Store(n)
	}
	if _, known := l.replicas[n]; !known {
		l.primaries = append(l.primaries, n)
	}
	l.replicas[n] = replicas
}

// uncovered is how many slots nobody serves.
func (l *layout) uncovered() (n int) {
	for i := range l.owners {
		if l.owners[i].Load() == nil {
			n++
		}
	}
	return n
}

// keyOn returns a key that begins with prefix and lies on n, which holds at least one slot. A node's share of the
// slots is found within a few tries for each node of the cluster; a node of a single slot is missed by this many with a
// chance of e^-64.
func (l *layout) keyOn(n *node, prefix string) (key string, found bool) {
	for i := range 64 * slotCount {
		if key = prefix + strconv.Itoa(i); l.holder(key) == n {
			return key, true
		}
	}
	return "", false
}
