package throttle

import (
	"encoding/binary"
	"hash/maphash"
	"sync/atomic"
	"time"
)

// rememberedTags is how many tags are told apart in what was given back, 1<<rememberedBits; two that share a place only cost
// each other a trip.
const (
	rememberedBits = 12
	rememberedTags = 1 << rememberedBits
)

// remembered is what the layers that remember refusals share: the clock, how entries are named, and what was given
// back since. Safe for concurrent use, without locks.
type remembered struct {
	now   func() time.Time
	start time.Time
	seeds [2]maphash.Seed
	// returned counts, for each place of a tag, how often something was given back.
	returned [rememberedTags]atomic.Uint64
}

// entryID names an entry: two keyed hashes, so that no two names are ever taken for one.
type entryID [2]uint64

// generation is what had been given back of a tag when the store was asked.
type generation struct {
	place uint64
	count uint64
}

func (m *remembered) init(now func() time.Time) {
	m.now, m.start, m.seeds = now, now(), [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
}

// elapsed is the time since the start.
func (m *remembered) elapsed() time.Duration { return m.now().Sub(m.start) }

func (m *remembered) id(name []byte) entryID {
	return entryID{maphash.Bytes(m.seeds[0], name), maphash.Bytes(m.seeds[1], name)}
}

// generation reads a tag's. It is read before the store is asked: what is given back meanwhile makes the answer stale.
func (m *remembered) generation(t Tag) generation {
	place := t.place()
	return generation{place, m.returned[place].Load()}
}

// place is where a tag's generation is counted: the same one in every process and run, so that the two tags of a test
// either always share it or never. A tag is a keyed hash already, and nobody outside chooses the bits that this is made of.
func (t Tag) place() uint64 {
	const spread = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, as in Fibonacci hashing: all bits go into the first ones
	var first [8]byte
	copy(first[:], t)
	return binary.BigEndian.Uint64(first[:]) * spread >> (64 - rememberedBits)
}

// stands says that nothing was given back since.
func (m *remembered) stands(since generation) bool {
	return m.returned[since.place].Load() == since.count
}

// forget drops what depends on one of the tags.
func (m *remembered) forget(tags ...Tag) {
	for _, t := range tags {
		m.returned[m.generation(t).place].Add(1)
	}
}

// forgetAll drops everything.
func (m *remembered) forgetAll() {
	for place := range m.returned {
		m.returned[place].Add(1)
	}
}
