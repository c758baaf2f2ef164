package memstore

import (
	"testing"
	"time"

	"smsd/internal/throttle"
)

// Of what rules can read a section keeps the newest, as many as the other store can count.
func TestSectionStopsAtItsBound(t *testing.T) {
	t.Parallel()
	var s section
	for i := range maxSection + 2 {
		s = append(s, entry{at: 1, id: uint32(i), mark: uint16(i)})
	}
	s = s.compacted(throttle.Keep{PerMark: throttle.MaxLogLimit})
	if len(s) != maxSection || s[0].id != 2 || s[maxSection-1].id != maxSection+1 {
		t.Errorf("%d entries, from %d on", len(s), s[0].id)
	}
}

func TestRecordsStopAtTheirBound(t *testing.T) {
	t.Parallel()
	s := &state{}
	for i := range maxRecords {
		s.records = append(s.records, record{slot: uint32(i), window: 1000, start: 1, current: 1})
	}
	c := charge{
		plan: &throttle.Plan{Cells: []throttle.Cell{{Algorithm: throttle.Counter, Slot: maxRecords, Limit: 9, Window: time.Second, Charge: true}}},
		now:  1, verdicts: make([]throttle.Verdict, 1),
	}
	c.count(s)
	if len(s.records) != maxRecords || s.records[0].slot != 1 || s.records[maxRecords-1].slot != maxRecords {
		t.Errorf("%d records, from slot %d to %d", len(s.records), s.records[0].slot, s.records[len(s.records)-1].slot)
	}
}

// A file that says more is damaged, or foreign.
func TestSavedKeyHoldsNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	for more, want := range map[int]bool{0: true, 1: false} {
		entries, records := savedKey{Tag: "t", Name: "p"}, savedKey{Tag: "t", Name: "p"}
		entries.Sections[throttle.Guess] = make([]savedEntry, maxSection+more)
		for range maxRecords + more {
			records.Records = append(records.Records, savedRecord{1, 1000, 1, 1, 1})
		}
		for _, k := range []savedKey{entries, records} {
			if _, whole := k.state(); whole != want {
				t.Errorf("%d more than the bound: whole %t", more, whole)
			}
		}
	}
}
