package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"smsd/internal/records"
)

var handleTests = []recordsTest{
	{"what a receipt tells of a message goes to its owner, whichever of the two is known first", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1), accepted(2), accepted(3))
		b.name(owner(1))
		b.name(receipt(1))
		b.name(receipt(2))
		b.name(owner(2))
		b.name(receipt(3), owner(3)) // in one batch
		for n := 1; n <= 3; n++ {
			equal(t, "the row", b.verification(smsID(n)), withReceipt(accepted(n)))
		}
	}},
	{"it waits for the verification too", func(t *testing.T, b *recordsBench) {
		b.name(owner(1), receipt(1))
		b.send(accepted(1))
		equal(t, "the row", b.verification(smsID(1)), withReceipt(accepted(1)))
	}},
	{"of two owners the first one told stays", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1), accepted(2), accepted(3))
		second, third := owner(1), owner(3)
		second.SMSID, third.SMSID = smsID(2), smsID(2)
		b.name(owner(1))
		b.name(second)
		b.name(owner(3), third) // in one batch
		b.name(receipt(1), receipt(3))
		equal(t, "the first", b.verification(smsID(1)), withReceipt(accepted(1)))
		equal(t, "the second", b.verification(smsID(2)), accepted(2))
		equal(t, "the first of one batch", b.verification(smsID(3)), withReceipt(accepted(3)))
	}},
	{"the messages of one verification each tell of it", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1))
		again := records.Handle{Gateway: "main", ProviderID: "again", SMSID: smsID(1)}
		b.name(owner(1), again)
		again.SMSID, again.Fate = "", records.Fate{Delivery: "accepted", FailedAt: at(5), Failure: "temporary"}
		b.name(receipt(1), again)
		want := withReceipt(accepted(1))
		want.Fate.FailedAt, want.Fate.Failure = at(5), "temporary"
		equal(t, "the row", b.verification(smsID(1)), want)
	}},
	{"a name is a gateway's and a carrier's together", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1))
		b.name(owner(1))
		elsewhere := receipt(1)
		elsewhere.Gateway = "other"
		b.name(elsewhere)
		equal(t, "the row", b.verification(smsID(1)), accepted(1))
	}},
	{"owners are told of names that have one", func(t *testing.T, b *recordsBench) {
		odd := records.Handle{Gateway: "main", ProviderID: "'; --\"\u00e9 x", SMSID: smsID(9)}
		b.name(owner(1), receipt(2), odd)
		got, err := b.Owners(t.Context(), "main", []string{"id-1", "id-2", "id-3", odd.ProviderID})
		if err != nil || len(got) != 2 || got["id-1"].SMSID != smsID(1) || got[odd.ProviderID].SMSID != smsID(9) {
			t.Errorf("%v, %v", got, err)
		}
		if since := got["id-1"].Since; time.Since(since).Abs() > time.Minute {
			t.Errorf("since %v", since)
		}
		for gateway, ids := range map[string][]string{"other": {"id-1"}, "main": nil} {
			if got, err := b.Owners(t.Context(), gateway, ids); err != nil || len(got) != 0 {
				t.Errorf("%s %v: %v, %v", gateway, ids, got, err)
			}
		}
	}},
	{"of an owner and a receipt at the same moment neither is lost", func(t *testing.T, b *recordsBench) {
		const rows = 50
		for n := range rows {
			batches := []records.Batch{
				{Writer: writerA, Handles: []records.Handle{owner(n)}}, {Writer: writerB, Handles: []records.Handle{receipt(n)}},
				{Writer: "writer-c", Verifications: []records.Verification{accepted(n)}},
			}
			allAtOnce(len(batches), func(i int) {
				batches[i].Seq = uint64(n + 1)
				if err := b.Append(t.Context(), batches[i]); err != nil {
					t.Errorf("append: %v", err)
				}
			})
			equal(t, "the row", b.verification(smsID(n)), withReceipt(accepted(n)))
		}
	}},
	{"writers of each other's names in any order do not wait for each other", func(t *testing.T, b *recordsBench) {
		const rows = 40
		var sends records.Batch
		for n := range rows {
			sends.Verifications = append(sends.Verifications, accepted(n))
		}
		b.append(sends)
		allAtOnce(4, func(i int) {
			for seq := range uint64(5) {
				batch := records.Batch{Writer: fmt.Sprint("writer-", i), Seq: seq + 1}
				for _, n := range rand.Perm(rows) {
					batch.Handles = append(batch.Handles, []records.Handle{owner(n), receipt(n)}[(n+i)%2])
					batch.Changes = append(batch.Changes, records.Change{SMSID: smsID((n + i) % rows), Fate: records.Fate{Resends: 1}})
				}
				if err := b.Append(t.Context(), batch); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
		for n := range rows {
			want := withReceipt(accepted(n))
			want.Fate.Resends = 20
			equal(t, "the row", b.verification(smsID(n)), want)
		}
	}},
	{"a name goes with the verifications of its time", func(t *testing.T, b *recordsBench) {
		b.name(owner(1), receipt(2))
		for _, purge := range []struct {
			before time.Time
			want   int64
		}{{time.Now().Add(-time.Hour), 0}, {time.Now().Add(time.Hour), 2}} {
			got, err := b.Purge(t.Context(), purge.before, time.Time{}, 10)
			if err != nil || got != (records.Purged{Handles: purge.want}) {
				t.Errorf("before %v: %+v, %v, want %d", purge.before, got, err, purge.want)
			}
		}
		if got, err := b.Owners(t.Context(), "main", []string{"id-1"}); err != nil || len(got) != 0 {
			t.Errorf("%v, %v", got, err)
		}
	}},
}

// name writes handles.
func (b *recordsBench) name(all ...records.Handle) {
	b.t.Helper()
	b.append(records.Batch{Handles: all})
}

// owner is the word that a message is that of accepted(n).
func owner(n int) records.Handle {
	return records.Handle{Gateway: "main", ProviderID: fmt.Sprint("id-", n), SMSID: smsID(n)}
}

// receipt is the carrier's word on it.
func receipt(n int) records.Handle {
	return records.Handle{Gateway: "main", ProviderID: fmt.Sprint("id-", n), Fate: records.Fate{
		Delivery: "accepted", DeliveredAt: at(10), Billed: records.Bill{Segments: 2, CostMicros: 90_000, Currency: "CNY"}}}
}

// withReceipt is a verification of which receipt tells.
func withReceipt(v records.Verification) records.Verification {
	r := receipt(0).Fate
	v.Fate.Delivery, v.Fate.DeliveredAt, v.Fate.Billed = r.Delivery, r.DeliveredAt, r.Billed
	return v
}
