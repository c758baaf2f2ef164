package httpapi

import (
	"maps"
	"sync"
	"sync/atomic"
)

// memo keeps what is made for each key of a closed list, as the counter of some labels: a look is one map, without the lock and the
// hashes of a look in a metric. What is kept stays; a list that a client could lengthen has no place here. Safe for concurrent use.
type memo[K comparable, V any] struct {
	fresh  func(K) V
	adding sync.Mutex
	known  atomic.Pointer[map[K]V] // nothing in the map changes: it is replaced
}

func newMemo[K comparable, V any](fresh func(K) V) *memo[K, V] {
	m := &memo[K, V]{fresh: fresh}
	m.known.Store(&map[K]V{})
	return m
}

func (m *memo[K, V]) of(key K) V {
	if v, ok := (*m.known.Load())[key]; ok {
		return v
	}
	return m.add(key)
}

func (m *memo[K, V]) add(key K) V {
	m.adding.Lock()
	defer m.adding.Unlock()
	known := maps.Clone(*m.known.Load())
	if _, ok := known[key]; !ok {
		known[key] = m.fresh(key)
	}
	m.known.Store(&known)
	return known[key]
}
