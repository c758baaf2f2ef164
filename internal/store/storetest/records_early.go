package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"smsd/internal/records"
)

var earlyTests = []recordsTest{
	{"a change that comes before its verification is added to it", func(t *testing.T, b *recordsBench) {
		for n, writer := range []string{writerA, writerB} {
			b.tell(fullChange(n))
			b.appendAs(writer, 100, records.Batch{Verifications: []records.Verification{accepted(n)}})
			equal(t, "the row by "+writer, b.verification(smsID(n)), changed(accepted(n)))
			b.seq = 100 // of writer A
		}
	}},
	{"in one batch too, the changes of rows that are there, that come with it and that are yet to come are kept", func(t *testing.T, b *recordsBench) {
		b.send(accepted(2))
		b.tell(fullChange(4))
		b.append(records.Batch{Verifications: []records.Verification{accepted(4), accepted(3)},
			Changes: []records.Change{fullChange(1), fullChange(3), fullChange(2)}})
		b.send(accepted(1))
		for n := 1; n <= 4; n++ {
			equal(t, "the row", b.verification(smsID(n)), changed(accepted(n)))
		}
	}},
	{"what came early is added once", func(t *testing.T, b *recordsBench) {
		once := records.Change{SMSID: smsID(1), Fate: records.Fate{Resends: 1, ResentAt: at(9)}}
		b.tell(once)
		b.tell(once, once)
		b.send(accepted(1))
		b.appendAs(writerB, 1, records.Batch{Verifications: []records.Verification{accepted(1)}})
		b.tell(once)
		equal(t, "resends", b.verification(smsID(1)).Fate.Resends, 4)
		equalNames(t, "rows", ids(b.verifications(records.Filter{})), smsID(1))
	}},
	{"among early changes, as among late ones, the earliest instant and the last word count", func(t *testing.T, b *recordsBench) {
		b.tell(records.Change{SMSID: smsID(1), Fate: records.Fate{VerifiedAt: at(20), Gateway: "second", FailedAt: at(30), Failure: "unreachable"}})
		b.tell(records.Change{SMSID: smsID(1), ExpiresAt: at(99), Fate: records.Fate{VerifiedAt: at(10), Gateway: "third", FailedAt: at(5), Failure: "blocked"}})
		b.send(accepted(1))
		want := accepted(1)
		want.ExpiresAt = at(99)
		want.Fate.VerifiedAt, want.Fate.Gateway, want.Fate.FailedAt, want.Fate.Failure = at(10), "third", at(5), "blocked"
		equal(t, "the row", b.verification(smsID(1)), want)
	}},
	{"what its verification says already stays, as with a late change", func(t *testing.T, b *recordsBench) {
		v := accepted(1)
		v.Fate.VerifiedAt, v.Fate.Resends, v.Fate.ResentAt = at(7), 1, at(60)
		b.tell(fullChange(1))
		b.send(v)
		want := changed(v)
		want.Fate.VerifiedAt, want.Fate.Resends, want.Fate.ResentAt = at(7), 3, at(60)
		equal(t, "the row", b.verification(smsID(1)), want)
	}},
	{"nobody sees a change that waits", func(t *testing.T, b *recordsBench) {
		b.tell(fullChange(1), records.Change{SMSID: smsID(2)})
		for n := 1; n <= 2; n++ {
			if _, err := b.Verification(t.Context(), smsID(n)); !errors.Is(err, records.ErrNotFound) {
				t.Errorf("a row that never was: %v", err)
			}
		}
		for _, state := range []records.State{"", records.Accepted, records.Delivered, records.Verified, records.Expired, records.Failed} {
			equalNames(t, "rows "+string(state), ids(b.verifications(records.Filter{State: state, Now: at(0)})))
		}
		sealed, err := b.SealedWith(t.Context())
		equal(t, "sealed", []any{len(sealed), err}, []any{0, nil})
	}},
	{"a change of a send that never was goes in time, and counts as a verification", func(t *testing.T, b *recordsBench) {
		b.tell(fullChange(1), fullChange(2))
		b.send(accepted(2))
		for _, purge := range []struct {
			before time.Time
			want   int64
		}{{at(2), 0}, {at(3), 1}, {time.Now().Add(-time.Hour), 0}, {time.Now().Add(time.Hour), 1}, {time.Now().Add(time.Hour), 0}} {
			got, err := b.Purge(t.Context(), purge.before, time.Time{}, 10)
			if err != nil || got != (records.Purged{Verifications: purge.want}) {
				t.Errorf("before %v: %+v, %v, want %d", purge.before, got, err, purge.want)
			}
		}
		b.send(accepted(1))
		equal(t, "the row", b.verification(smsID(1)), accepted(1)) // what had waited is gone
	}},
	{"of a verification and its change at the same moment neither is lost", func(t *testing.T, b *recordsBench) {
		const pairs = 50
		for n := range pairs {
			batches := []records.Batch{{Writer: writerA, Verifications: []records.Verification{accepted(n)}}, {Writer: writerB, Changes: []records.Change{fullChange(n)}}}
			allAtOnce(2, func(i int) {
				batches[i].Seq = uint64(n + 1)
				if err := b.Append(t.Context(), batches[i]); err != nil {
					t.Errorf("append: %v", err)
				}
			})
			equal(t, "the row", b.verification(smsID(n)), changed(accepted(n)))
		}
	}},
	{"writers that tell of each other's rows in any order do not wait for each other", func(t *testing.T, b *recordsBench) {
		const rows = 40
		order := rand.New(rand.NewPCG(1, 2)).Perm(rows)
		var sends, changes records.Batch
		for i, n := range order {
			sends.Verifications = append(sends.Verifications, accepted(n))
			changes.Changes = append(changes.Changes, fullChange(order[rows-1-i]))
		}
		allAtOnce(4, func(i int) {
			batch := changes
			if i == 0 {
				batch = sends
			}
			batch.Writer, batch.Seq = fmt.Sprint("writer-", i), 1
			if err := b.Append(t.Context(), batch); err != nil {
				t.Errorf("append: %v", err)
			}
		})
		for n := range rows {
			equal(t, "resends", b.verification(smsID(n)).Fate.Resends, 6)
		}
	}},
	{"in whatever order rows and changes come, and by whom, the row is the same", func(t *testing.T, b *recordsBench) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		seq := map[string]uint64{}
		for round := range 50 {
			for _, batch := range interleaved(random, 3*round, 3) {
				seq[batch.Writer]++
				b.appendAs(batch.Writer, seq[batch.Writer], batch)
			}
			for n := 3 * round; n < 3*round+3; n++ {
				equal(t, fmt.Sprintf("the row in round %d", round), b.verification(smsID(n)), changed(accepted(n)))
			}
		}
	}},
}

// appendAs writes a batch as a writer, with this number.
func (b *recordsBench) appendAs(writer string, seq uint64, batch records.Batch) {
	b.t.Helper()
	batch.Writer, batch.Seq = writer, seq
	if err := b.Append(b.t.Context(), batch); err != nil {
		b.t.Fatalf("append: %v", err)
	}
}

// fullChange tells all that can become known.
func fullChange(n int) records.Change {
	return records.Change{SMSID: smsID(n), ExpiresAt: at(99), Fate: records.Fate{
		Gateway: "second", Delivery: "accepted", Segments: 3, CostMicros: 7, Currency: "CNY", DeliveredAt: at(10), VerifiedAt: at(20),
		FailedAt: at(30), Failure: "unreachable", Resends: 2, ResentAt: at(40), ExpiredAt: at(50)}}
}

// changed is a verification of which nothing was known before fullChange.
func changed(v records.Verification) records.Verification {
	c, cost := fullChange(0), v.Fate.CostMicros
	v.ExpiresAt, v.Fate = c.ExpiresAt, c.Fate
	v.Fate.CostMicros += cost // of the same currency
	return v
}

// interleaved are the rows from n on and, in parts, the changes that make changed of them: in any order, in batches of any
// size, by two writers.
func interleaved(random *rand.Rand, n, rows int) []records.Batch {
	var all []records.Batch
	for i := n; i < n+rows; i++ {
		all = append(all, records.Batch{Verifications: []records.Verification{accepted(i)}})
		for _, c := range parts() {
			c.SMSID = smsID(i)
			all = append(all, records.Batch{Changes: []records.Change{c}})
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var batches []records.Batch
	for len(all) > 0 {
		size := 1 + random.IntN(min(8, len(all)))
		batch := joined(all[:size])
		batch.Writer = []string{writerA, writerB}[random.IntN(2)]
		batches, all = append(batches, batch), all[size:]
	}
	return batches
}

// parts are what fullChange tells, one thing at a time; of two things that cannot both stay, the order makes no
// difference.
func parts() []records.Change {
	f := fullChange(0).Fate
	return []records.Change{
		{ExpiresAt: at(99)}, {Fate: records.Fate{Gateway: f.Gateway, Delivery: f.Delivery}}, {Fate: records.Fate{DeliveredAt: f.DeliveredAt}},
		{Fate: records.Fate{Segments: f.Segments, CostMicros: f.CostMicros, Currency: f.Currency}}, {Fate: records.Fate{VerifiedAt: f.VerifiedAt}},
		{Fate: records.Fate{FailedAt: f.FailedAt, Failure: f.Failure, FailureCode: f.FailureCode}}, {Fate: records.Fate{ExpiredAt: f.ExpiredAt}},
		{Fate: records.Fate{Resends: 1, ResentAt: f.ResentAt}}, {Fate: records.Fate{Resends: 1, ResentAt: at(35)}},
	}
}
