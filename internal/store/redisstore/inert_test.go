package redisstore

import (
	"encoding/binary"
	"maps"
	"strings"
	"testing"

	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
)

// With rules in shadow and without, the same history has the same answers, and the bytes of enforced entries and records
// are the same.
func TestShadowRulesAreInert(t *testing.T) {
	t.Parallel()
	shaded := 0
	for seed := range uint64(4) {
		clock := storetest.NewManualClock()
		one, other := testserver.Redis(t), testserver.Redis(t)
		with, without := open(t, one.URL(), withClock(clock.Now)).Counters(), open(t, other.URL(), withClock(clock.Now)).Counters()
		storetest.Inert(t, 2000, seed, with, without, clock)
		got, n := enforcedParts(contents(t, raw(t, one)))
		want, none := enforcedParts(contents(t, raw(t, other)))
		if shaded += n; !maps.Equal(got, want) || len(want) == 0 || none > 0 {
			t.Errorf("seed %d: with shadow rules\n%x\nwithout\n%x", seed, got, want)
		}
	}
	if shaded == 0 {
		t.Error("no value holds entries in shadow")
	}
}

// enforcedParts returns what each counter's value holds of enforced rules, and how many hold entries of others too.
func enforcedParts(values map[string]string) (parts map[string]string, shaded int) {
	parts = map[string]string{}
	for key, value := range values {
		if !strings.Contains(key, "{") {
			continue
		}
		part, has := enforcedPart([]byte(value))
		if has {
			shaded++
		}
		if len(part) > 6 {
			parts[key] = string(part)
		}
	}
	return parts, shaded
}

// enforcedPart returns the counts and entries of a value's enforced sections, and its records of enforced rules.
func enforcedPart(value []byte) (part []byte, shaded bool) {
	count := func(at int) int { return int(binary.BigEndian.Uint16(value[at:])) }
	head, shadows := 9, 0
	if value[0] == 3 {
		head, shadows = 15, count(9)+count(11)+count(13)
	}
	entries := value[head:]
	enforced := 12 * (count(1) + count(3) + count(5))
	part = append(append(part, value[1:7]...), entries[:enforced]...)
	for records := entries[enforced+12*shadows:]; len(records) > 0; records = records[26:] {
		if !storetest.ShadowSlot(binary.BigEndian.Uint32(records)) {
			part = append(part, records[:26]...)
		}
	}
	return part, shadows > 0
}
