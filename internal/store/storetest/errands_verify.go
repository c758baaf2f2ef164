package storetest

import (
	"reflect"
	"time"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

var verifyErrandTests = []errandTest{
	{"what is allowed is compared as Verify would", verifyAllowed},
	{"what is refused compares nothing", verifyRefused},
	{"what comes late compares nothing", verifyLate},
	{"peek compares nothing", verifyPeek},
	{"a guess of another length is free", verifyFree},
	{"a guess of another length is free where the log is compacted", verifyFreeCompacted},
	{"64 right at once under a limit: one succeeds, and the counts are exact", verifyRaceRight},
	{"64 wrong at once under a limit: five are counted", verifyRaceWrong},
	{"64 at once, right, wrong and of another length", verifyRaceMixed},
}

func verifyOf(id string, g sms.Guess, groups ...throttle.Group) throttle.Take {
	return throttle.Take{ID: 7, Groups: groups, Errand: &sms.VerifyErrand{ID: id, Guess: g}}
}

// counted is a group that lets so many events pass.
func counted(limit int64) throttle.Group {
	return group(phoneKey, plan(logCell(limit, time.Hour), slotted(counterCell(limit, time.Hour), 2)))
}

func (b *errandBench) put(ids ...string) {
	b.Helper()
	for _, id := range ids {
		if _, err := b.codes.Put(b.Context(), id, typical()); err != nil {
			b.Fatal(err)
		}
	}
}

func (b *errandBench) get(id string) sms.Record {
	b.Helper()
	r, err := b.codes.Get(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// Two verifications are the same at first, one of which is guessed at by errands, and the other by Verify: whatever one
// comes to, the other does.
func verifyAllowed(b *errandBench) {
	ids := []string{idA, idB}
	marked := rightGuess()
	marked.Mark = hash(99)
	other := rightGuess()
	other.App = "another"
	compare := func(guesses ...sms.Guess) {
		b.Helper()
		for _, g := range guesses {
			take := verifyOf(ids[0], g, counted(1000))
			taken, errand := b.do(take), take.Errand.(*sms.VerifyErrand)
			if !taken.Allowed || taken.Free || taken.ErrandDone != b.does {
				b.Fatalf("%+v, want it allowed, and the errand done: %v", taken, b.does)
			}
			if !b.does {
				b.unguessed(errand)
				continue
			}
			record, err := b.codes.Verify(b.Context(), ids[1], g)
			if outcome(err) != outcome(errand.Err) || !reflect.DeepEqual(record, errand.Record) {
				b.Fatalf("by errand\n%+v, %v, by Verify\n%+v, %v", errand.Record, errand.Err, record, err)
			}
		}
	}
	compare(rightGuess()) // there is none
	b.put(ids...)
	compare(other, wrongGuess(), guess(9, 1, 8), rightGuess())
	b.again(ids)
	compare(wrongGuess(), wrongGuess(), wrongGuess(), wrongGuess(), wrongGuess(), rightGuess())
	b.again(ids)
	compare(marked, marked, guess(99))
	b.again(ids)
	b.clock.Advance(codesTTL)
	compare(rightGuess(), other)
	b.clock.Advance(codesKeep)
	compare(rightGuess())
}

// again makes verifications anew.
func (b *errandBench) again(ids []string) {
	b.Helper()
	for _, id := range ids {
		if err := b.codes.Delete(b.Context(), id); err != nil {
			b.Fatal(err)
		}
	}
	b.put(ids...)
}

// unguessed checks that nobody has filled in the errand.
func (b *errandBench) unguessed(errand *sms.VerifyErrand) {
	b.Helper()
	if errand.Err != nil || !reflect.DeepEqual(errand.Record, sms.Record{}) {
		b.Fatalf("the errand has %+v, %v", errand.Record, errand.Err)
	}
}

// unchanged checks that no guess has reached a record.
func (b *errandBench) unchanged(before sms.Record) {
	b.Helper()
	after := b.get(idA)
	if after.Now = before.Now; !reflect.DeepEqual(after, before) {
		b.Fatalf("the record changed from\n%+v to\n%+v", before, after)
	}
}

func verifyRefused(b *errandBench) {
	b.put(idA)
	before := b.get(idA)
	b.allowed(one())
	for range 2 {
		for _, g := range []sms.Guess{rightGuess(), wrongGuess(), {App: "default", Length: 5}} {
			take := verifyOf(idA, g, one())
			if taken := b.do(take); taken.Allowed || taken.ErrandDone || taken.Free {
				b.Fatalf("%+v", taken)
			}
			b.unguessed(take.Errand.(*sms.VerifyErrand))
		}
		b.unchanged(before)
		b.clock.Advance(-time.Minute) // then a refusal writes
	}
}

func verifyLate(b *errandBench) {
	b.put(idA)
	before, take := b.get(idA), verifyOf(idA, rightGuess(), one())
	_, err := b.store.Take(lateContext(b.T), take)
	b.unavailable(err)
	b.unguessed(take.Errand.(*sms.VerifyErrand))
	b.unchanged(before)
	b.uses(one(), 0, 0)
}

func verifyPeek(b *errandBench) {
	b.put(idA)
	before, take := b.get(idA), verifyOf(idA, rightGuess(), one())
	if taken, err := b.store.Peek(b.Context(), take); err != nil || taken.ErrandDone {
		b.Fatalf("%+v, %v", taken, err)
	}
	b.unguessed(take.Errand.(*sms.VerifyErrand))
	b.unchanged(before)
}

// It is answered as things stand, for a key that is there and one that is not; but an end comes before the length.
func verifyFree(b *errandBench) {
	if !b.does {
		b.Skip("no errands are done")
	}
	b.put(idA)
	before := b.get(idA)
	short := rightGuess()
	short.Length = 5
	free := func(want ...throttle.Verdict) {
		b.Helper()
		take := verifyOf(idA, short, counted(2))
		taken, errand := b.do(take), take.Errand.(*sms.VerifyErrand)
		if !taken.Allowed || !taken.Free || !taken.ErrandDone || errand.Err != sms.ErrCodeFormat || !reflect.DeepEqual(taken.Verdicts, want) {
			b.Fatalf("%+v, %v", taken, errand.Err)
		}
		if !reflect.DeepEqual(errand.Record, before) {
			b.Fatalf("the errand has %+v", errand.Record)
		}
		b.shows([]throttle.Group{counted(2)}, want...)
		b.unchanged(before)
	}
	free(throttle.Verdict{}, throttle.Verdict{})
	b.allowed(counted(2))
	free(throttle.Verdict{Used: 1}, throttle.Verdict{Used: 1})
	if _, err := b.codes.Verify(b.Context(), idA, rightGuess()); err != nil {
		b.Fatal(err)
	}
	take := verifyOf(idA, short, counted(2))
	if taken := b.do(take); taken.Free || take.Errand.(*sms.VerifyErrand).Err != sms.ErrUsed {
		b.Fatalf("%+v of a used code", taken)
	}
	b.uses(counted(2), 2, 2)
}

// A charge would compact the log, and then the answer would be what that leaves.
func verifyFreeCompacted(b *errandBench) {
	if !b.does {
		b.Skip("no errands are done")
	}
	b.put(idA)
	full := group(phoneKey, plan(logCell(2*throttle.MaxEntries, time.Hour)))
	for range throttle.MaxEntries {
		b.force(full)
	}
	want := []throttle.Verdict{{Used: throttle.MaxEntries}}
	taken := b.do(verifyOf(idA, sms.Guess{App: "default", Length: 5}, full))
	if !taken.Free || !reflect.DeepEqual(taken.Verdicts, want) {
		b.Fatalf("%+v", taken)
	}
	b.shows([]throttle.Group{full}, want...)
}
