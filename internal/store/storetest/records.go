package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"smsd/internal/records"
)

// RecordsStore is all that a store of records does.
type RecordsStore interface {
	records.Store
	records.Reader
	records.Keeper
	records.Owners
}

// Records puts an implementation through every line of the contracts of package records. open returns an empty one; it
// is closed by t.Cleanup. Each test opens its own, and they run in parallel.
func Records(t *testing.T, open func(t *testing.T) RecordsStore) {
	t.Helper()
	for _, group := range [][]recordsTest{appendTests, fateTests, earlyTests, togetherTests, randomTests, receiptTests, handleTests, listTests, stateTests, keeperTests} {
		for _, test := range group {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				test.run(t, &recordsBench{RecordsStore: open(t), t: t})
			})
		}
	}
}

type recordsTest struct {
	name string
	run  func(*testing.T, *recordsBench)
}

// recordsBench is the store under test with what every test does to it.
type recordsBench struct {
	RecordsStore
	t   *testing.T
	seq uint64 // of the batches of writerA
}

const writerA, writerB = "writer-a", "writer-b"

// recordsStart is when the rows of the tests begin: whole milliseconds, as records are.
var recordsStart = time.Date(2026, 11, 30, 6, 0, 0, 123_000_000, time.UTC)

// at is an instant of the tests.
func at(ms int) time.Time { return recordsStart.Add(time.Duration(ms) * time.Millisecond) }

// subject returns a subject's hash that differs for each n and is never zero.
func subject(n byte) records.Hash { return records.Hash{0: n, 1: 0x00, 2: 0xff, 3: '\'', 15: ^n} }

// accepted is a row with every field set, each to a value of its own.
func accepted(n int) records.Verification {
	b := byte(n)
	return records.Verification{
		SMSID: smsID(n), App: "default", Scene: "login", RequestID: fmt.Sprintf("request-%d", n), Country: "CN", Prefix: "+861380013",
		Whom:          records.Whom{Phone: subject(b), Host: subject(b + 64), Network: subject(b + 128), Device: subject(b + 192)},
		Sealed:        []byte{1, 0xaa, 0xbb, 0xcc, 0xdd, 0, 0xff, '\'', b},
		PolicyVersion: "v1", CreatedAt: at(n), ExpiresAt: at(n).Add(5 * time.Minute),
		Fate: records.Fate{Gateway: "main", Delivery: "unknown", Segments: 1, CostMicros: 45_000, Currency: "CNY"},
	}
}

func smsID(n int) string { return fmt.Sprintf("0b7e51f2-8d0c-4f6e-9a43-%012d", n) }

// refused is a decision with every field set.
func refused(n int) records.Decision {
	b := byte(n)
	return records.Decision{
		At: at(n), RequestID: fmt.Sprintf("request-%d", n), App: "default", Action: "send", Scene: "login", Outcome: "rate_limited",
		SMSID: smsID(n), Country: "CN", Prefix: "+861380013",
		Whom: records.Whom{Phone: subject(b), Host: subject(b + 64), Network: subject(b + 128), Device: subject(b + 192)},
		Rule: "login/hour", Used: 4, Limit: 4, Shadow: []string{"strict, \"new\"", "it's"}, Gateway: "main", PolicyVersion: "v1", Folded: 17,
	}
}

// append writes a batch as writerA, with the next number.
func (b *recordsBench) append(batch records.Batch) {
	b.t.Helper()
	b.seq++
	batch.Writer, batch.Seq = writerA, b.seq
	if err := b.Append(b.t.Context(), batch); err != nil {
		b.t.Fatalf("append: %v", err)
	}
}

func (b *recordsBench) send(all ...records.Verification) {
	b.t.Helper()
	b.append(records.Batch{Verifications: all})
}

func (b *recordsBench) tell(all ...records.Change) {
	b.t.Helper()
	b.append(records.Batch{Changes: all})
}

func (b *recordsBench) decide(all ...records.Decision) {
	b.t.Helper()
	b.append(records.Batch{Decisions: all})
}

func (b *recordsBench) verification(id string) records.Verification {
	b.t.Helper()
	v, err := b.Verification(b.t.Context(), id)
	if err != nil {
		b.t.Fatalf("verification %s: %v", id, err)
	}
	return v
}

// verifications returns all pages of a filter.
func (b *recordsBench) verifications(f records.Filter) []records.Verification {
	b.t.Helper()
	return pages(b.t, f, func(f records.Filter) ([]records.Verification, records.Cursor, error) {
		return b.Verifications(b.t.Context(), f)
	})
}

// decisions returns all pages of a filter.
func (b *recordsBench) decisions(f records.Filter) []records.Decision {
	b.t.Helper()
	return pages(b.t, f, func(f records.Filter) ([]records.Decision, records.Cursor, error) {
		return b.Decisions(b.t.Context(), f)
	})
}

func pages[T any](t *testing.T, f records.Filter, read func(records.Filter) ([]T, records.Cursor, error)) []T {
	t.Helper()
	if f.Limit == 0 {
		f.Limit = records.MaxPage
	}
	var all []T
	for n := 0; ; n++ {
		page, next, err := read(f)
		if err != nil {
			t.Fatalf("read page %d: %v", n, err)
		}
		if len(page) > f.Limit || n > 1000 {
			t.Fatalf("page %d has %d rows, the limit is %d", n, len(page), f.Limit)
		}
		all = append(all, page...)
		if next == (records.Cursor{}) {
			return all
		}
		if len(page) != f.Limit {
			t.Fatalf("page %d has %d rows and a cursor; the limit is %d", n, len(page), f.Limit)
		}
		f.After = next
	}
}

// ids are the sms_ids of rows, in their order.
func ids(all []records.Verification) []string {
	var found []string
	for _, v := range all {
		found = append(found, v.SMSID)
	}
	return found
}

// requests are the request ids of decisions, in their order.
func requests(all []records.Decision) []string {
	var found []string
	for _, d := range all {
		found = append(found, d.RequestID)
	}
	return found
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func equalNames(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
