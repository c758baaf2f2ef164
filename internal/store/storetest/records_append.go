package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/records"
)

var appendTests = []recordsTest{
	{"a verification comes back as it was written", func(t *testing.T, b *recordsBench) {
		v := accepted(1)
		v.Fate.DeliveredAt, v.Fate.VerifiedAt, v.Fate.FailedAt, v.Fate.Failure = at(10), at(20), at(30), "unreachable"
		v.Fate.Resends, v.Fate.ResentAt, v.Fate.ExpiredAt = 2, at(40), at(50)
		b.send(v)
		equal(t, "the row", b.verification(v.SMSID), v)
	}},
	{"a verification of which little is known comes back so", func(t *testing.T, b *recordsBench) {
		v := records.Verification{SMSID: "x", CreatedAt: at(1), ExpiresAt: at(2)}
		b.send(v)
		equal(t, "the row", b.verification("x"), v)
	}},
	{"a decision comes back as it was written", func(t *testing.T, b *recordsBench) {
		d, little := refused(1), records.Decision{At: at(0)}
		b.decide(d, little)
		equal(t, "the rows", b.decisions(records.Filter{}), []records.Decision{d, little})
	}},
	{"instants are cut to milliseconds, in UTC", func(t *testing.T, b *recordsBench) {
		v := accepted(1)
		v.CreatedAt = time.Date(2026, 11, 30, 14, 0, 0, 5_999_999, time.FixedZone("CST", 8*3600))
		b.send(v)
		want := time.Date(2026, 11, 30, 6, 0, 0, 5_000_000, time.UTC)
		equal(t, "created", b.verification(v.SMSID).CreatedAt, want)
	}},
	{"text is kept, whatever is in it", func(t *testing.T, b *recordsBench) {
		odd := []string{`'; DROP TABLE verifications; --`, `"`, `\`, `$1 ? ?1 :a @b`, "\u00e9\U0001f600\u202e", strings.Repeat("x", 4000), "%_", "{},NULL", "null"}
		for i, text := range odd {
			v := accepted(i)
			v.SMSID, v.Scene = text, text
			b.send(v)
			equal(t, "the row", b.verification(text), v)
			equal(t, "the listing", b.verifications(records.Filter{Scene: text}), []records.Verification{v})
		}
	}},
	{"what cannot be stored as text is replaced", func(t *testing.T, b *recordsBench) {
		v := accepted(1)
		v.Scene, v.Prefix = "a\x00b", "a\xffb"
		b.send(v)
		got := b.verification(v.SMSID)
		equal(t, "scene and prefix", []string{got.Scene, got.Prefix}, []string{"a\uFFFDb", "a\uFFFDb"})
		_, err := b.Verification(t.Context(), "never\x00\xff")
		equal(t, "an id that cannot be", err, records.ErrNotFound)
	}},
	{"a verification that is nobody's is not found", func(t *testing.T, b *recordsBench) {
		for _, id := range []string{"", smsID(9)} {
			if _, err := b.Verification(t.Context(), id); !errors.Is(err, records.ErrNotFound) {
				t.Errorf("%q: %v", id, err)
			}
		}
	}},
	{"a batch of every size is whole, in order", func(t *testing.T, b *recordsBench) {
		n := 0
		for _, size := range []int{1, 2, 3, 64, 65, 500} {
			var batch records.Batch
			for range size {
				batch.Verifications = append(batch.Verifications, accepted(n))
				batch.Changes = append(batch.Changes, records.Change{SMSID: smsID(n), Fate: records.Fate{Resends: n}})
				batch.Decisions = append(batch.Decisions, refused(n))
				n++
			}
			b.append(batch)
		}
		verifications, decisions := b.verifications(records.Filter{}), b.decisions(records.Filter{})
		if len(verifications) != n || len(decisions) != n {
			t.Fatalf("%d verifications and %d decisions, want %d of each", len(verifications), len(decisions), n)
		}
		for i := range n {
			v, d := accepted(n-1-i), refused(n-1-i)
			v.Fate.Resends = n - 1 - i
			equal(t, "verification", verifications[i], v)
			equal(t, "decision", decisions[i], d)
		}
	}},
	{"an empty batch is success, and counts", func(t *testing.T, b *recordsBench) {
		b.append(records.Batch{})
		err := b.Append(t.Context(), records.Batch{Writer: writerA, Seq: 1, Decisions: []records.Decision{refused(1)}})
		equal(t, "error", err, nil)
		equal(t, "decisions", len(b.decisions(records.Filter{})), 0)
	}},
	{"a batch is written once", func(t *testing.T, b *recordsBench) {
		batch := records.Batch{Writer: writerB, Seq: 7, Verifications: []records.Verification{accepted(1)},
			Changes: []records.Change{{SMSID: smsID(1), Fate: records.Fate{Resends: 1}}}, Decisions: []records.Decision{refused(1)}}
		for range 3 {
			if err := b.Append(t.Context(), batch); err != nil {
				t.Fatal(err)
			}
		}
		older := batch
		older.Seq, older.Verifications = 6, []records.Verification{accepted(2)}
		if err := b.Append(t.Context(), older); err != nil {
			t.Fatal(err)
		}
		equalNames(t, "rows", ids(b.verifications(records.Filter{})), smsID(1))
		equal(t, "resends", b.verification(smsID(1)).Fate.Resends, 1)
		equal(t, "decisions", len(b.decisions(records.Filter{})), 1)
	}},
	{"writers count for themselves", func(t *testing.T, b *recordsBench) {
		for i, writer := range []string{writerA, writerB, "'"} {
			if err := b.Append(t.Context(), records.Batch{Writer: writer, Seq: 1, Decisions: []records.Decision{refused(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "decisions", len(b.decisions(records.Filter{})), 3)
	}},
	{"of one batch many times at once, one is written", func(t *testing.T, b *recordsBench) {
		batch := records.Batch{Writer: writerB, Seq: 1, Decisions: []records.Decision{refused(1), refused(2)}}
		allAtOnce(20, func(int) {
			if err := b.Append(t.Context(), batch); err != nil {
				t.Errorf("append: %v", err)
			}
		})
		equal(t, "decisions", len(b.decisions(records.Filter{})), 2)
	}},
	{"writers do not hinder each other", func(t *testing.T, b *recordsBench) {
		const rows = 20
		for n := range rows {
			b.send(accepted(n))
		}
		allAtOnce(8, func(i int) {
			for seq := range uint64(10) {
				batch := records.Batch{Writer: fmt.Sprint("writer-", i), Seq: seq + 1}
				for _, n := range rand.Perm(rows) { // each in an order of its own: nobody may wait in a circle
					batch.Changes = append(batch.Changes, records.Change{SMSID: smsID(n), Fate: records.Fate{Resends: 1}})
				}
				if err := b.Append(t.Context(), batch); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
		for n := range rows {
			equal(t, "resends", b.verification(smsID(n)).Fate.Resends, 80)
		}
	}},
	{"a verification that is there is left out, and its change is not", func(t *testing.T, b *recordsBench) {
		first, second := accepted(1), accepted(1)
		second.Scene, second.App = "register", "other"
		b.send(first)
		b.append(records.Batch{Verifications: []records.Verification{second, accepted(2), accepted(2)},
			Changes: []records.Change{{SMSID: smsID(1), Fate: records.Fate{Resends: 1}}}})
		first.Fate.Resends = 1
		equal(t, "the row", b.verification(smsID(1)), first)
		equalNames(t, "rows", ids(b.verifications(records.Filter{})), smsID(2), smsID(1))
	}},
	{"a batch without a writer or a number is refused", func(t *testing.T, b *recordsBench) {
		for _, batch := range []records.Batch{{Seq: 1}, {Writer: writerA}, {Writer: writerA, Seq: 1 << 63}} {
			if err := b.Append(t.Context(), batch); err == nil {
				t.Errorf("writer %q, number %d: no error", batch.Writer, batch.Seq)
			}
		}
	}},
	{"a call whose context has ended leaves nothing", func(t *testing.T, b *recordsBench) {
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		batch := records.Batch{Writer: writerB, Seq: 1, Verifications: []records.Verification{accepted(1)}}
		if err := b.Append(ended, batch); !errors.Is(err, context.Canceled) {
			t.Errorf("append: %v", err)
		}
		equal(t, "rows", len(b.verifications(records.Filter{})), 0)
		if err := b.Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		equal(t, "rows", len(b.verifications(records.Filter{})), 1)
	}},
	{"it is there", func(t *testing.T, b *recordsBench) {
		if err := b.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	}},
}

// allAtOnce calls do n times at once, each with its number, and waits.
func allAtOnce(n int, do func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() { <-start; do(i) })
	}
	close(start)
	all.Wait()
}
