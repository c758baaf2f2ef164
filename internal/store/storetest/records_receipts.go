package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"smsd/internal/records"
)

var receiptTests = []recordsTest{
	{"what receipts tell is the same in whatever order, in whatever batches, and however often it is told", func(t *testing.T, b *recordsBench) {
		inAnyOrder(t, b, func(n int) []records.Batch {
			batches := []records.Batch{{Verifications: []records.Verification{accepted(n)}}}
			for _, fate := range toldByReceipts() {
				batches = append(batches, records.Batch{Changes: []records.Change{{SMSID: smsID(n), Fate: fate}}})
			}
			return batches
		})
	}},
	{"so it is where they name the message by the carrier's id alone", func(t *testing.T, b *recordsBench) {
		inAnyOrder(t, b, func(n int) []records.Batch {
			batches := []records.Batch{{Verifications: []records.Verification{accepted(n)}}, {Handles: []records.Handle{owner(n)}}}
			for _, fate := range toldByReceipts() {
				h := receipt(n)
				h.Fate = fate
				batches = append(batches, records.Batch{Handles: []records.Handle{h}})
			}
			return batches
		})
	}},
}

// inAnyOrder writes batches, some of them together and those of every other row twice, and compares the rows.
func inAnyOrder(t *testing.T, b *recordsBench, of func(n int) []records.Batch) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for n := range 20 {
		all := of(n)
		if n%2 == 1 {
			all = append(all, all...)
		}
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for len(all) > 0 {
			size := 1 + random.IntN(len(all))
			b.append(joined(all[:size]))
			all = all[size:]
		}
		want := accepted(n)
		want.Fate.Delivery, want.Fate.Billed = records.DeliveryAccepted, records.Bill{Segments: 3, CostMicros: 90_000, Currency: "CNY"}
		want.Fate.DeliveredAt, want.Fate.FailedAt, want.Fate.Failure, want.Fate.FailureCode = at(9), at(5), "blocked", "MK:0001"
		equal(t, fmt.Sprint("row ", n), b.verification(smsID(n)), want)
	}
}

// toldByReceipts are receipts that contradict each other in all that they can.
func toldByReceipts() []records.Fate {
	return []records.Fate{
		{Delivery: records.DeliveryAccepted},
		{Delivery: "unknown"},
		{Billed: records.Bill{Segments: 3}},
		{Billed: records.Bill{Segments: 2, CostMicros: 90_000, Currency: "CNY"}},
		{Billed: records.Bill{CostMicros: 80_000, Currency: "USD"}},
		{DeliveredAt: at(9)},
		{DeliveredAt: at(10)},
		{FailedAt: at(5), Failure: "temporary", FailureCode: "A:0001"},
		{FailedAt: at(5), Failure: "blocked", FailureCode: "MK:0002"},
		{FailedAt: at(5), Failure: "blocked", FailureCode: "MK:0001"},
		{FailedAt: at(6), Failure: "ambiguous", FailureCode: "A:0000"},
	}
}

// joined is one batch of several.
func joined(all []records.Batch) (one records.Batch) {
	for _, b := range all {
		one.Verifications = append(one.Verifications, b.Verifications...)
		one.Changes = append(one.Changes, b.Changes...)
		one.Handles = append(one.Handles, b.Handles...)
	}
	return one
}
