package storetest

import (
	"testing"
	"time"

	"smsd/internal/records"
)

var keeperTests = []recordsTest{
	{"a purge removes what is older, the oldest first, and counts it", func(t *testing.T, b *recordsBench) {
		b.append(records.Batch{Verifications: []records.Verification{accepted(3), accepted(1), accepted(2), accepted(4)},
			Decisions: []records.Decision{refused(3), refused(1), refused(2)}})
		purge := func(verifications, decisions time.Time, limit int, want records.Purged) {
			t.Helper()
			got, err := b.Purge(t.Context(), verifications, decisions, limit)
			if err != nil || got != want {
				t.Errorf("purged %+v, %v, want %+v", got, err, want)
			}
		}
		purge(time.Time{}, time.Time{}, 10, records.Purged{})
		purge(at(1), at(1), 10, records.Purged{}) // as old is not older
		purge(at(4), at(1).Add(1), 2, records.Purged{Verifications: 2, Decisions: 1})
		equalNames(t, "verifications", ids(b.verifications(records.Filter{})), smsID(4), smsID(3))
		equalNames(t, "decisions", requests(b.decisions(records.Filter{})), "request-3", "request-2")
		purge(at(4), at(1), 10, records.Purged{Verifications: 1})
		purge(at(4), at(9), 0, records.Purged{})
		purge(at(4), at(9), 10, records.Purged{Decisions: 2})
		equalNames(t, "verifications", ids(b.verifications(records.Filter{})), smsID(4))
	}},
	{"a writer is purged once all that it may write again has gone", func(t *testing.T, b *recordsBench) {
		b.decide(refused(1))
		if p, err := b.Purge(t.Context(), time.Now().Add(time.Hour), at(0), 10); err != nil || p.Writers != 0 {
			t.Errorf("%+v, %v", p, err)
		}
		if p, err := b.Purge(t.Context(), time.Now().Add(time.Hour), time.Now().Add(time.Hour), 10); err != nil || p.Writers != 1 {
			t.Errorf("%+v, %v", p, err)
		}
	}},
	{"an erasure takes the subject out of every row, and leaves the rows", func(t *testing.T, b *recordsBench) {
		again, other := accepted(3), accepted(2)
		again.Whom.Phone = subject(7) // the same number, under another secret
		decision := refused(1)
		b.append(records.Batch{Verifications: []records.Verification{accepted(1), other, again}, Decisions: []records.Decision{decision, refused(2)}})
		got, err := b.Erase(t.Context(), []records.Hash{subject(1), subject(7)})
		if err != nil || got != (records.Erased{Verifications: 2, Decisions: 1}) {
			t.Fatalf("erased %+v, %v", got, err)
		}
		for _, n := range []int{1, 3} {
			want := accepted(n)
			want.Whom, want.Sealed, want.Prefix = records.Whom{}, nil, ""
			equal(t, "an erased row", b.verification(smsID(n)), want)
		}
		equal(t, "another's row", b.verification(smsID(2)), other)
		decision.Whom, decision.Prefix = records.Whom{}, ""
		equal(t, "the decisions", b.decisions(records.Filter{}), []records.Decision{refused(2), decision})
		again2, err := b.Erase(t.Context(), []records.Hash{subject(1), subject(7)})
		if err != nil || again2 != (records.Erased{}) {
			t.Errorf("erased again %+v, %v", again2, err)
		}
	}},
	{"an erasure of nobody erases nothing", func(t *testing.T, b *recordsBench) {
		nobody := records.Verification{SMSID: "x", CreatedAt: at(1), ExpiresAt: at(2), Prefix: "+861380013"}
		b.send(accepted(1), nobody)
		for _, phones := range [][]records.Hash{nil, {}, {{}}} {
			if got, err := b.Erase(t.Context(), phones); err != nil || got != (records.Erased{}) {
				t.Errorf("%v: erased %+v, %v", phones, got, err)
			}
		}
		equal(t, "a row of nobody", b.verification("x"), nobody)
	}},
	{"sealed numbers are counted by what sealed them", func(t *testing.T, b *recordsBench) {
		older, erased := accepted(2), accepted(3)
		older.Sealed = []byte{1, 0x01, 0x23, 0xab, 0xcd, 9}
		erased.Sealed = nil
		b.send(accepted(1), older, erased, accepted(4))
		got, err := b.SealedWith(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "counts", got, map[string]int64{"aabbccdd": 2, "0123abcd": 1})
	}},
}
