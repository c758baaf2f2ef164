package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"smsd/internal/records"
)

var randomTests = []recordsTest{
	{"random batches leave what their rows leave one after the other", func(t *testing.T, b *recordsBench) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := randomRecords{Rand: rand.New(rand.NewPCG(seed, 0))}
		want, seq := newNaive(), map[string]uint64{}
		var written []records.Batch
		for range 40 {
			batch := random.batch()
			seq[batch.Writer]++
			batch.Seq = seq[batch.Writer]
			want.write(batch)
			written = append(written, batch)
			for _, again := range []records.Batch{batch, written[random.IntN(len(written))]} {
				b.appendAs(again.Writer, again.Seq, again)
			}
		}
		for n := range random.first + idsAtOnce {
			got, err := b.Verification(t.Context(), smsID(n))
			if row := want.rows[smsID(n)]; row != nil {
				equal(t, fmt.Sprintf("row %d", n), got, *row)
			} else if !errors.Is(err, records.ErrNotFound) {
				t.Errorf("row %d, which was not written: %v", n, err)
			}
		}
	}},
}

// idsAtOnce is how many ids the rows of a batch are about, and idsForth how many of them are new: so each is met a few times, and what
// is wrong of it is not made up for.
const idsAtOnce, idsForth = 100, 20

// randomRecords makes batches whose rows are about each other, early and late, in any order and more than once.
type randomRecords struct {
	*rand.Rand
	first int // id of the next batch
}

func (r *randomRecords) batch() records.Batch {
	r.first += idsForth
	b := records.Batch{Writer: []string{writerA, writerB}[r.IntN(2)]}
	for range []int{1, 2, 3, 10, 70, 200}[r.IntN(6)] { // 64 is the most rows of a statement where that has a limit
		switch n := r.first + r.IntN(idsAtOnce); r.IntN(3) {
		case 0:
			b.Changes = append(b.Changes, r.change(n))
		case 1:
			b.Verifications = append(b.Verifications, r.verification(n))
		case 2:
			b.Verifications = append(b.Verifications, r.verification(n))
			b.Changes = append(b.Changes, r.change(n))
		}
	}
	return b
}

func (r *randomRecords) verification(n int) records.Verification {
	v := accepted(n)
	v.Scene, v.ExpiresAt, v.Fate = fmt.Sprint("scene-", r.IntN(9)), at(r.IntN(100)), records.Fate{}
	if r.IntN(2) == 0 {
		v.Fate = r.fate()
	}
	return v
}

func (r *randomRecords) change(n int) records.Change {
	c := records.Change{SMSID: smsID(n), ExpiresAt: r.instant()}
	if r.IntN(4) > 0 {
		c.Fate = r.fate()
	}
	return c
}

func (r *randomRecords) fate() records.Fate {
	f := records.Fate{
		Gateway: r.word("main", "second"), Delivery: r.word(records.DeliveryAccepted, "unknown", "other"), Segments: r.IntN(3), Resends: r.IntN(3),
		DeliveredAt: r.instant(), VerifiedAt: r.instant(), FailedAt: r.instant(), ResentAt: r.instant(), ExpiredAt: r.instant(),
		Billed: records.Bill{Segments: r.IntN(3)},
	}
	if f.Currency = r.word("EUR", "EUR", "CNY"); f.Currency != "" {
		f.CostMicros = int64(r.IntN(100))
	}
	if f.Billed.Currency = r.word("EUR", "CNY"); f.Billed.Currency != "" {
		f.Billed.CostMicros = 1 + int64(r.IntN(5))
	}
	if !f.FailedAt.IsZero() {
		f.Failure = []string{"blocked", "unreachable"}[r.IntN(2)]
	}
	return f
}

// word is one of some, or as often none.
func (r *randomRecords) word(some ...string) string {
	if r.IntN(2) == 0 {
		return ""
	}
	return some[r.IntN(len(some))]
}

// instant is one of few, so that several are the same, or as often never.
func (r *randomRecords) instant() time.Time {
	if r.IntN(2) == 0 {
		return time.Time{}
	}
	return at(r.IntN(20))
}
