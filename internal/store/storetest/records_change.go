package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"smsd/internal/records"
)

var fateTests = []recordsTest{
	{"what becomes known is added, and what is zero stays", func(t *testing.T, b *recordsBench) {
		want := accepted(1)
		b.send(want)
		b.tell(records.Change{SMSID: smsID(1)})
		equal(t, "nothing told", b.verification(smsID(1)), want)
		b.tell(records.Change{SMSID: smsID(1), ExpiresAt: at(99), Fate: records.Fate{
			Gateway: "second", Delivery: "accepted", Segments: 3, CostMicros: 7, Currency: "CNY", DeliveredAt: at(10), VerifiedAt: at(20),
			FailedAt: at(30), Failure: "unreachable", FailureCode: "MK:0001", Resends: 2, ResentAt: at(40), ExpiredAt: at(50)}})
		want.ExpiresAt = at(99)
		want.Fate = records.Fate{Gateway: "second", Delivery: "accepted", Segments: 3, CostMicros: 45_007, Currency: "CNY", DeliveredAt: at(10),
			VerifiedAt: at(20), FailedAt: at(30), Failure: "unreachable", FailureCode: "MK:0001", Resends: 2, ResentAt: at(40), ExpiredAt: at(50)}
		equal(t, "all told", b.verification(smsID(1)), want)
		b.tell(records.Change{SMSID: smsID(1)})
		equal(t, "nothing told again", b.verification(smsID(1)), want)
	}},
	{"the earliest instant counts, with its failure", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1))
		told := func(ms int, why string) records.Change {
			return records.Change{SMSID: smsID(1), Fate: records.Fate{DeliveredAt: at(ms), VerifiedAt: at(ms + 1), FailedAt: at(ms + 2), Failure: why,
				ExpiredAt: at(ms + 4)}}
		}
		b.tell(told(100, "first"), told(50, "second")) // in one batch, and then in another one
		b.tell(told(10, "third"))
		f := b.verification(smsID(1)).Fate
		equal(t, "instants", []time.Time{f.DeliveredAt, f.VerifiedAt, f.FailedAt, f.ExpiredAt},
			[]time.Time{at(10), at(11), at(12), at(14)})
		equal(t, "failure", f.Failure, "third")
	}},
	{"of words and numbers the last one told counts", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1))
		told := func(name string, n int) records.Change {
			return records.Change{SMSID: smsID(1), ExpiresAt: at(n), Fate: records.Fate{Gateway: name, Delivery: name, Segments: n}}
		}
		b.tell(told("a", 1), told("b", 2))
		v := b.verification(smsID(1))
		equal(t, "of one batch", []any{v.ExpiresAt, v.Fate.Gateway, v.Fate.Delivery, v.Fate.Segments}, []any{at(2), "b", "b", 2})
		b.tell(told("c", 3))
		equal(t, "of two", b.verification(smsID(1)).Fate.Gateway, "c")
	}},
	{"of the instants of resends the latest counts, in whatever order they are told", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1))
		resent := func(ms int) records.Change {
			return records.Change{SMSID: smsID(1), Fate: records.Fate{Resends: 1, ResentAt: at(ms)}}
		}
		b.tell(resent(20), resent(30), resent(10), records.Change{SMSID: smsID(1), Fate: records.Fate{VerifiedAt: at(50)}})
		equal(t, "of one batch", b.verification(smsID(1)).Fate.ResentAt, at(30))
		b.tell(resent(25))
		equal(t, "an older one", b.verification(smsID(1)).Fate.ResentAt, at(30))
		b.tell(resent(40))
		b.tell(records.Change{SMSID: smsID(1), Fate: records.Fate{DeliveredAt: at(50)}})
		equal(t, "a newer one", b.verification(smsID(1)).Fate.ResentAt, at(40))
	}},
	{"resends add up", func(t *testing.T, b *recordsBench) {
		once := records.Change{SMSID: smsID(1), Fate: records.Fate{Resends: 1}}
		b.append(records.Batch{Verifications: []records.Verification{accepted(1)}, Changes: []records.Change{once, once}})
		b.tell(once)
		equal(t, "resends", b.verification(smsID(1)).Fate.Resends, 3)
	}},
	{"costs of one currency add up, of several nobody knows the sum", func(t *testing.T, b *recordsBench) {
		cost := func(micros int64, currency string) records.Change {
			return records.Change{SMSID: smsID(1), Fate: records.Fate{CostMicros: micros, Currency: currency}}
		}
		told := func(what string, micros int64, currency string) {
			f := b.verification(smsID(1)).Fate
			equal(t, what, []any{f.CostMicros, f.Currency}, []any{micros, currency})
		}
		row := accepted(1)
		row.Fate.CostMicros, row.Fate.Currency = 0, ""
		b.send(row)
		told("nothing known", 0, "")
		b.tell(cost(0, ""), cost(8_300, "USD"), cost(0, ""), cost(8_300, "USD"))
		told("of one batch", 16_600, "USD")
		b.tell(cost(200, "USD"))
		b.tell(cost(0, ""))
		b.tell(cost(0, "USD"))
		told("of several batches", 16_800, "USD")
		b.tell(cost(7, "EUR"))
		told("of two currencies", 0, records.MixedCurrency)
		b.tell(cost(7, "EUR"), cost(8, "USD"))
		b.tell(cost(9, "USD"))
		b.tell(cost(0, ""))
		told("of two currencies and more", 0, records.MixedCurrency)
	}},
	{"what several messages cost is the same in whatever order, and in whatever batches, it is told", func(t *testing.T, b *recordsBench) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		costs := []records.Fate{{CostMicros: 5, Currency: "USD"}, {}, {CostMicros: 7, Currency: "USD"}, {CostMicros: 11, Currency: "EUR"}, {CostMicros: 13, Currency: "EUR"}}
		for n := range 30 {
			told, want := costs[:3], records.Fate{CostMicros: 45_000 + 12, Currency: "USD"}
			if n%2 == 1 {
				told, want = costs, records.Fate{CostMicros: 0, Currency: records.MixedCurrency}
			}
			row := accepted(n)
			row.Fate.Currency = "USD"
			batches := []records.Batch{{Verifications: []records.Verification{row}}}
			for _, i := range random.Perm(len(told)) {
				change := records.Change{SMSID: smsID(n), Fate: told[i]}
				if last := &batches[len(batches)-1]; random.IntN(2) == 0 {
					last.Changes = append(last.Changes, change)
					continue
				}
				batches = append(batches, records.Batch{Changes: []records.Change{change}})
			}
			random.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
			for _, batch := range batches {
				b.append(batch)
			}
			f := b.verification(smsID(n)).Fate
			equal(t, fmt.Sprint("the cost of row ", n), []any{f.CostMicros, f.Currency}, []any{want.CostMicros, want.Currency})
		}
	}},
	{"a receipt that comes late changes no end", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1))
		b.tell(records.Change{SMSID: smsID(1), Fate: records.Fate{VerifiedAt: at(10)}})
		b.tell(records.Change{SMSID: smsID(1), Fate: records.Fate{DeliveredAt: at(20)}})
		v := b.verification(smsID(1))
		equal(t, "state", v.State(at(30)), records.Verified)
		equal(t, "delivered", v.Fate.DeliveredAt, at(20))
	}},
	{"the order in which one thing each is told does not matter", func(t *testing.T, b *recordsBench) {
		told := []records.Change{
			{Fate: records.Fate{DeliveredAt: at(10)}}, {Fate: records.Fate{VerifiedAt: at(20)}}, {Fate: records.Fate{FailedAt: at(30), Failure: "unreachable"}},
			{Fate: records.Fate{ExpiredAt: at(40)}}, {Fate: records.Fate{Resends: 1, ResentAt: at(50)}}, {ExpiresAt: at(60)},
			{Fate: records.Fate{Segments: 2, CostMicros: 9, Currency: "CNY"}},
		}
		random := rand.New(rand.NewPCG(1, 2))
		var first records.Verification
		for n := range 12 {
			id := smsID(n)
			row := accepted(0)
			row.SMSID = id
			b.send(row)
			for _, i := range random.Perm(len(told)) {
				change := told[i]
				change.SMSID = id
				b.tell(change)
			}
			got := b.verification(id)
			got.SMSID = ""
			if n == 0 {
				first = got
			}
			equal(t, "the row", got, first)
		}
	}},
}
