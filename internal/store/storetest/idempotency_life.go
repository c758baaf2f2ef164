package storetest

import (
	"testing"
	"time"

	"smsd/internal/idempotency"
)

var idempotencyTests = []idempotencyTest{
	{"an entry runs, is finished and is found", func(t *testing.T, b *idempotencyBench) {
		b.gone(1, at(1))
		e := entry(1)
		b.begin(e, at(1))
		b.found(at(1), e)
		e.Answer, e.ExpiresAt = []byte("sealed\x00\xff'"), at(5000)
		b.expect(b.Finish(t.Context(), e.ID, e.Answer, e.ExpiresAt), nil)
		b.found(at(4999), e)
		b.gone(2, at(1))
	}},
	{"an entry about nothing known, with an empty answer", func(t *testing.T, b *idempotencyBench) {
		e := entry(1)
		e.SMSID = ""
		b.begin(e, at(1))
		e.Answer = []byte{}
		b.expect(b.Finish(t.Context(), e.ID, e.Answer, e.ExpiresAt), nil)
		b.found(at(1), e)
		b.expect(b.Forget(t.Context(), e), nil) // which has an answer
		b.found(at(1), e)
	}},
	{"an entry that is there is not begun again", func(t *testing.T, b *idempotencyBench) {
		b.begin(entry(1), at(1))
		again := entry(1)
		again.Content, again.SMSID = [16]byte{9}, "another"
		b.expect(b.Begin(t.Context(), again, at(1)), idempotency.ErrExists)
		b.found(at(1), entry(1))
		b.expect(b.Finish(t.Context(), entry(1).ID, []byte("answer"), at(1001)), nil)
		b.expect(b.Begin(t.Context(), again, at(1000)), idempotency.ErrExists)
	}},
	{"an entry that has expired is as if it were not there", func(t *testing.T, b *idempotencyBench) {
		e := entry(1)
		b.begin(e, at(1))
		b.expect(b.Finish(t.Context(), e.ID, []byte("answer"), at(1001)), nil)
		e.Answer = []byte("answer")
		b.found(at(1001).Add(-time.Millisecond), e)
		b.gone(1, at(1001))
		again := entry(1)
		again.SMSID, again.StartedAt, again.ExpiresAt = "another", at(1001), at(2000)
		b.begin(again, at(1001))
		b.found(at(1001), again) // without the answer of before
	}},
	{"finishing what is not there changes nothing", func(t *testing.T, b *idempotencyBench) {
		b.expect(b.Finish(t.Context(), entryID(1), []byte("answer"), at(1000)), nil)
		b.gone(1, at(0))
	}},
	{"what has no answer can be forgotten", func(t *testing.T, b *idempotencyBench) {
		b.expect(b.Forget(t.Context(), entry(1)), nil)
		b.begin(entry(1), at(1))
		b.begin(entry(2), at(1))
		b.expect(b.Forget(t.Context(), entry(1)), nil)
		b.gone(1, at(1))
		b.found(at(1), entry(2))
		b.begin(entry(1), at(1))
	}},
	{"a forget that arrives late leaves what was begun since", func(t *testing.T, b *idempotencyBench) {
		later, another := entry(1), entry(1)
		later.StartedAt, another.SMSID = at(2), "another"
		for _, e := range []idempotency.Entry{later, another} {
			b.begin(e, at(2))
			b.expect(b.Forget(t.Context(), entry(1)), nil)
			b.found(at(2), e)
			b.expect(b.Forget(t.Context(), e), nil)
			b.gone(1, at(2))
		}
	}},
	{"a purge removes what has expired, at most the limit", func(t *testing.T, b *idempotencyBench) {
		for n := range 5 {
			b.begin(entry(n), at(0))
		}
		purge := func(now time.Time, limit int, want int64) {
			t.Helper()
			got, err := b.Purge(t.Context(), now, limit)
			b.expect(err, nil)
			equal(t, "purged", got, want)
		}
		purge(at(999), 10, 0)
		purge(at(1003), 3, 3)
		purge(at(1003), 3, 1)
		purge(at(1003), 3, 0)
		b.found(at(1003), entry(4))
		for n := range 4 {
			b.gone(n, at(0))
		}
	}},
	{"of fifty that begin at once, one does", func(t *testing.T, b *idempotencyBench) {
		b.begin(entry(2), at(0)) // has expired when they come
		for _, n := range []int{1, 2} {
			errs := make([]error, 50)
			allAtOnce(len(errs), func(i int) {
				e := entry(n)
				e.SMSID, e.StartedAt, e.ExpiresAt = smsID(i), at(2000), at(9000)
				errs[i] = b.Begin(t.Context(), e, at(2000))
			})
			winner := -1
			for i, err := range errs {
				if err == nil && winner < 0 {
					winner = i
					continue
				}
				b.expect(err, idempotency.ErrExists)
			}
			got, err := b.Find(t.Context(), entryID(n), at(2000))
			b.expect(err, nil)
			if winner < 0 || got.SMSID != smsID(winner) {
				t.Errorf("%d began, the entry is of %s", winner, got.SMSID)
			}
		}
	}},
}
