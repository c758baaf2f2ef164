package app

import (
	"fmt"
	"sync"
	"testing"

	"smsd/internal/config"
	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
)

// honest is how many people go about their business while the service is attacked.
const honest = 20

// Attackers without end, each with a number and an address of its own: a million, of a release. The store in the
// process holds as many keys as it may and no more, memory stays within what that is said to take, who is in it keeps the count,
// and live codes are verified all the time. Not parallel: it measures the heap.
func TestCasesMillionAttackers(t *testing.T) {
	attackers, room := fullOr(1_000_000, 3_000), fullOr(memstore.DefaultMaxKeys, 1_000)
	clock := memstore.NewClock(storetest.NewManualClock().Now)
	counters := memstore.NewCounters(memstore.Options{MaxKeys: room, Clock: clock})
	codes := memstore.NewCodes(memstore.Options{MaxCodes: room, Clock: clock})
	s := assemble(t, parts{
		counters: counters, codes: codes,
		policy: rules("{name: two, by: [phone], limit: 2, window: 1h}, {name: ip, by: [ip], limit: 25, window: 5m}"),
	})
	ids, secrets := [honest]string{}, [honest]string{}
	for i := range honest {
		ids[i], secrets[i] = s.at(i).sent(numbered(0, i))
	}
	before := heap()

	verified := 0
	tally := s.flood(attackers, func(done int) {
		if verified < honest && done >= verified*attackers/honest {
			wrong, right := s.verify(ids[verified], otherCode(secrets[verified])), s.verify(ids[verified], secrets[verified])
			if wrong.code() != "code_incorrect" || right.status != 200 {
				t.Errorf("in the flood, a wrong code: %s; the right one: %s", wrong, right)
			}
			verified++
		}
	})
	grown := int64(heap()) - int64(before)
	t.Logf("%d attackers: %v, %d keys, the heap has grown by %d MiB", attackers, tally, counters.Len(), grown>>20)

	if n := counters.Len(); n > room {
		t.Errorf("%d keys, want %d at the most", n, room)
	}
	if tally["200"] < room/2-2*honest || tally["200"] > room || tally["200"]+tally["503 unavailable"] != attackers {
		t.Errorf("answers %v, with room for %d numbers", tally, room/2)
	}
	if most := int64(room)*(keyBytes+codeBytes) + inboxBytes; grown > most {
		t.Errorf("the heap has grown by %d bytes, want %d at the most", grown, most)
	}
	if verified != honest {
		t.Errorf("%d of %d codes were verified", verified, honest)
	}
	for i := range honest { // each has one send left, of two
		s.wants(s.at(i).send(numbered(0, i)), "200")
		s.wants(s.at(i).send(numbered(0, i)), "429 rate_limited")
	}
}

// at is the i-th honest one, at an address of its own.
func (c caller) at(i int) caller { return c.forwarded(fmt.Sprintf("203.0.113.%d", 100+i)) }

// What is stated where the bounds are: memstore.DefaultMaxKeys (a key with few entries), memstore.DefaultMaxCodes; and the inbox, the
// table of addresses and the buffers of some connections.
const (
	keyBytes   = 550
	codeBytes  = 450
	inboxBytes = 48 << 20
)

// flood sends to that many numbers from as many addresses, a few at a time, and counts the outcomes. In each round
// meanwhile is told how many were answered before it.
func (c caller) flood(attackers int, meanwhile func(done int)) map[string]int {
	const atOnce, round = 16, 100
	tally := map[string]int{}
	var mu sync.Mutex
	for from := 0; from < attackers; from += round {
		var some sync.WaitGroup
		for worker := range atOnce {
			some.Go(func() {
				for i := from + worker; i < min(from+round, attackers); i += atOnce {
					address := fmt.Sprintf("%d.%d.%d.%d", 11+i>>24, i>>16&255, i>>8&255, i&255)
					outcome := c.forwarded(address).send(numbered(1, i)).outcome()
					mu.Lock()
					tally[outcome]++
					mu.Unlock()
				}
			})
		}
		some.Go(func() { meanwhile(from) })
		some.Wait()
	}
	return tally
}

// The process lets few sends pass in a second, and attackers ask for all of them, each from another address: verifies
// have a limiter of their own, and live codes are served as ever.
func TestCasesVerifiesInAFloodOfSends(t *testing.T) {
	t.Parallel()
	s := start(t, rules("{name: two, by: [phone], limit: 2, window: 1h}"), onRedis(testserver.Redis(t).URL()), func(c *config.Config) {
		c.Local.Rate, c.Local.Burst = 1, honest+10
	})
	ids, secrets := [honest]string{}, [honest]string{}
	for i := range honest {
		ids[i], secrets[i] = s.at(i).sent(numbered(0, i))
	}
	verified := 0
	tally := s.flood(honest*100, func(done int) {
		i := done / 100
		if a := s.at(i).verify(ids[i], secrets[i]); a.status != 200 {
			t.Errorf("in the flood: %s", a)
			return
		}
		verified++
	})
	if verified != honest || tally["429 rate_limited"] == 0 || tally["200"]+tally["429 rate_limited"] != honest*100 {
		t.Errorf("%d of %d codes were verified, sends %v", verified, honest, tally)
	}
}
