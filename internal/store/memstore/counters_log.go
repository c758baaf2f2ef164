package memstore

import (
	"slices"

	"smsd/internal/throttle"
)

// entry is one event in a log.
type entry struct {
	at   int64 // milliseconds
	id   uint32
	mark uint16
}

// maxSection is how many entries a section may have: rules can read the newest MaxLogLimit overall and the newest
// MaxLogLimit of each of 64 scenes, the most that a policy has. Only logs in shadow, where each rule has marks of
// its own, could pass it.
const maxSection = throttle.MaxLogLimit * (1 + maxScenes)

// maxScenes is how many scenes a policy may have.
const maxScenes = 64

// section is a log, oldest first.
type section []entry

// count returns how many entries with the mark (0: any) are later than since, and the instant of the
// limit-th newest of them, if there are as many. Entries in the future count as now.
func (s section) count(mark uint16, since, now, limit int64) (used, nth int64) {
	for i := len(s) - 1; i >= 0; i-- {
		at := min(s[i].at, now)
		if at <= since {
			break
		}
		if mark != 0 && s[i].mark != mark {
			continue
		}
		if used++; used == limit {
			nth = at
		}
	}
	return used, nth
}

// counted returns how many entries with the mark (0: any) are later than since, and the instant of the oldest
// of them; now if there is none.
func (s section) counted(mark uint16, since, now int64) (used, oldest int64) {
	used, _ = s.count(mark, since, now, 0)
	if used == 0 {
		return 0, now
	}
	_, oldest = s.count(mark, since, now, used)
	return used, oldest
}

// newest returns the latest instant; 0 if there is none.
func (s section) newest() int64 {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].at
}

// clamp moves instants in the future to now.
func (s section) clamp(now int64) {
	for i := len(s) - 1; i >= 0 && s[i].at > now; i-- {
		s[i].at = now
	}
}

// dropped returns s without the entries that are not later than until.
func (s section) dropped(until int64) section {
	old := 0
	for old < len(s) && s[old].at <= until {
		old++
	}
	return slices.Delete(s, 0, old)
}

// compacted returns s with what rules can still read, and of that no more than the newest maxSection.
func (s section) compacted(keep throttle.Keep) section {
	kept, newerOf := len(s), map[uint16]int{}
	for i := len(s) - 1; i >= 0; i-- {
		e := s[i]
		room := len(s)-kept < maxSection
		if room && (len(s)-1-i < keep.All || newerOf[e.mark] < keep.PerMark) {
			kept--
			s[kept] = e
		}
		newerOf[e.mark]++
	}
	return slices.Delete(s, 0, kept)
}

// without returns s without the entries of a reservation.
func (s section) without(id uint32) section {
	return slices.DeleteFunc(s, func(e entry) bool { return e.id == id })
}
