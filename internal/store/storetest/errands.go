package storetest

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Errands puts what [throttle.Store] says of errands to the test, on counters and on the codes that go with
// them: does says whether the counters do a [sms.PutErrand] and a [sms.VerifyErrand] or leave them alone. open is as for
// [Counters].
func Errands(t *testing.T, does bool, open func(t *testing.T, clock func() time.Time) (throttle.Store, sms.Codes)) {
	t.Helper()
	for _, test := range slices.Concat(errandTests, verifyErrandTests) {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			clock := NewManualClock()
			counters, codes := open(t, clock.Now)
			test.run(&errandBench{countersBench{T: t, store: counters, clock: clock}, codes, does})
		})
	}
}

type errandTest struct {
	name string
	run  func(*errandBench)
}

var errandTests = []errandTest{
	{"what is allowed is stored as Put would", errandAllowed},
	{"what is refused stores nothing", errandRefused},
	{"what comes late stores nothing", errandLate},
	{"peek stores nothing", errandPeek},
	{"another's record stays", errandTaken},
	{"an errand of another kind is left alone", errandUnknown},
}

// errandBench is both stores, and whether the one does errands for the other.
type errandBench struct {
	countersBench
	codes sms.Codes
	does  bool
}

// one is a group that lets one event pass.
func one() throttle.Group {
	return group(phoneKey, plan(logCell(1, time.Hour), counterCell(1, time.Hour)))
}

func errandOf(id string, groups ...throttle.Group) throttle.Take {
	return throttle.Take{ID: 7, Groups: groups, Errand: &sms.PutErrand{ID: id, Record: typical()}}
}

// nothing checks that there is no record.
func (b *errandBench) nothing(id string) {
	b.Helper()
	if _, err := b.codes.Get(b.Context(), id); err != sms.ErrNotFound {
		b.Fatalf("get: %v, want %v", err, sms.ErrNotFound)
	}
}

func errandAllowed(b *errandBench) {
	taken := b.do(errandOf(idA, one()))
	if !taken.Allowed || taken.ErrandDone != b.does {
		b.Fatalf("%+v, want it allowed, and the errand done: %v", taken, b.does)
	}
	if !b.does {
		b.nothing(idA)
		return
	}
	if _, err := b.codes.Put(b.Context(), idB, typical()); err != nil {
		b.Fatal(err)
	}
	got, err := b.codes.Get(b.Context(), idA)
	if err != nil || !got.CreatedAt.Equal(taken.At) {
		b.Fatalf("%+v, %v: not created at %v", got, err, taken.At)
	}
	want, err := b.codes.Get(b.Context(), idB)
	if err != nil || !reflect.DeepEqual(got, want) {
		b.Fatalf("stored\n%+v, by Put\n%+v, %v", got, want, err)
	}
}

func errandRefused(b *errandBench) {
	b.allowed(one())
	taken := b.do(errandOf(idA, one()))
	if taken.Allowed || taken.ErrandDone {
		b.Fatalf("%+v", taken)
	}
	b.nothing(idA)
	b.clock.Advance(-time.Minute) // then a refusal writes
	if taken := b.do(errandOf(idA, one())); taken.Allowed || taken.ErrandDone {
		b.Fatalf("%+v", taken)
	}
	b.nothing(idA)
}

func errandLate(b *errandBench) {
	_, err := b.store.Take(lateContext(b.T), errandOf(idA, one()))
	b.unavailable(err)
	b.nothing(idA)
	b.uses(one(), 0, 0)
}

func errandPeek(b *errandBench) {
	if taken, err := b.store.Peek(b.Context(), errandOf(idA, one())); err != nil || taken.ErrandDone {
		b.Fatalf("%+v, %v", taken, err)
	}
	b.nothing(idA)
}

// The event is charged, and the caller's own Put will say that the id is taken.
func errandTaken(b *errandBench) {
	other := typical()
	other.Scene = "another"
	if _, err := b.codes.Put(b.Context(), idA, other); err != nil {
		b.Fatal(err)
	}
	before, err := b.codes.Get(b.Context(), idA)
	if err != nil {
		b.Fatal(err)
	}
	if taken := b.do(errandOf(idA, one())); !taken.Allowed || taken.ErrandDone {
		b.Fatalf("%+v", taken)
	}
	if after, err := b.codes.Get(b.Context(), idA); err != nil || !reflect.DeepEqual(before, after) {
		b.Fatalf("the record changed to %+v, %v", after, err)
	}
	b.uses(one(), 1, 1)
}

func errandUnknown(b *errandBench) {
	take := throttle.Take{Groups: []throttle.Group{one()}, Errand: "buy milk"}
	if taken := b.do(take); !taken.Allowed || taken.ErrandDone {
		b.Fatalf("%+v", taken)
	}
	b.uses(one(), 1, 1)
}
