package storetest

import (
	"fmt"
	"testing"

	"smsd/internal/records"
)

// togetherTests are of sends whose gateway has answered before their rows are written: a verification of which nothing is known, and
// what became of it, in one batch. A store may write the two as one.
var togetherTests = []recordsTest{
	{"a verification and its changes in one batch are what they are one after the other, whatever was there", func(t *testing.T, b *recordsBench) {
		n := 0
		for before, tell := range before() {
			for after, changes := range after() {
				together, apart := bare(n), bare(n+1)
				tell(b, together)
				tell(b, apart)
				b.append(records.Batch{Verifications: []records.Verification{together, other(together)}, Changes: of(together, changes)})
				b.send(apart)
				for _, c := range of(apart, changes) {
					b.tell(c)
				}
				want := b.verification(apart.SMSID)
				want.SMSID, want.RequestID, want.Whom, want.Sealed, want.CreatedAt = together.SMSID, together.RequestID, together.Whom, together.Sealed, together.CreatedAt
				equal(t, fmt.Sprintf("the row, after %s, told %s", before, after), b.verification(together.SMSID), want)
				n += 2
			}
		}
		equal(t, "rows", len(b.verifications(records.Filter{})), n)
	}},
}

// bare is a row of which nothing is known. Those of two following n differ in what tells one send from another.
func bare(n int) records.Verification {
	v := accepted(n)
	v.ExpiresAt, v.Fate = at(60), records.Fate{}
	return v
}

// other is another row of the same id, which is left out.
func other(v records.Verification) records.Verification {
	v.Scene, v.ExpiresAt, v.Fate = "other", at(61), records.Fate{Gateway: "other", Resends: 7}
	return v
}

// before are what the store may have of a verification before its row comes.
func before() map[string]func(*recordsBench, records.Verification) {
	early := func(c records.Change) func(*recordsBench, records.Verification) {
		return func(b *recordsBench, v records.Verification) { b.tell(of(v, []records.Change{c})...) }
	}
	return map[string]func(*recordsBench, records.Verification){
		"nothing":         func(*recordsBench, records.Verification) {},
		"all, early":      early(fullChange(0)),
		"a verify, early": early(records.Change{Fate: records.Fate{VerifiedAt: at(5), Gateway: "early"}}),
		"an end, early":   early(records.Change{ExpiresAt: at(70)}),
		"the same row":    func(b *recordsBench, v records.Verification) { b.send(v) },
		"the row that is told": func(b *recordsBench, v records.Verification) {
			b.send(v)
			b.tell(of(v, []records.Change{fullChange(0)})...)
		},
		"another row of the id": func(b *recordsBench, v records.Verification) {
			v.Scene, v.ExpiresAt, v.Fate = "register", at(80), records.Fate{Gateway: "before", Delivery: "unknown", CostMicros: 5, Currency: "EUR"}
			b.send(v)
		},
	}
}

// after are what is told of it.
func after() map[string][]records.Change {
	sent := records.Change{ExpiresAt: at(65), Fate: records.Fate{Gateway: "main", Delivery: "accepted", Segments: 1, CostMicros: 3, Currency: "CNY"}}
	failed := records.Change{Fate: records.Fate{FailedAt: at(3), Failure: "unreachable"}}
	return map[string][]records.Change{
		"all": {fullChange(0)}, "that it was sent": {sent}, "that it failed": {failed}, "both": {sent, failed}, "that it was sent, twice": {sent, sent},
	}
}

// of are changes, of this verification.
func of(v records.Verification, changes []records.Change) []records.Change {
	all := make([]records.Change, len(changes))
	for i, c := range changes {
		c.SMSID = v.SMSID
		all[i] = c
	}
	return all
}
