package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"smsd/internal/records"
)

var listTests = []recordsTest{
	{"a listing without rows is empty", func(t *testing.T, b *recordsBench) {
		verifications, next, err := b.Verifications(t.Context(), records.Filter{Limit: 10})
		equal(t, "verifications", []any{len(verifications), next, err}, []any{0, records.Cursor{}, nil})
		decisions, next, err := b.Decisions(t.Context(), records.Filter{Limit: 10})
		equal(t, "decisions", []any{len(decisions), next, err}, []any{0, records.Cursor{}, nil})
	}},
	{"pages are newest first and miss nothing, also where instants are equal", func(t *testing.T, b *recordsBench) {
		var batch records.Batch
		for n := range 30 {
			v, d := accepted(n), refused(n)
			v.CreatedAt, d.At = at(n/7), at(n/7) // seven rows each
			batch.Verifications, batch.Decisions = append(batch.Verifications, v), append(batch.Decisions, d)
		}
		b.append(batch)
		whole := b.verifications(records.Filter{})
		equal(t, "rows", len(whole), 30)
		if !slices.IsSortedFunc(whole, func(a, b records.Verification) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
			t.Errorf("not newest first: %v", ids(whole))
		}
		for _, size := range []int{1, 2, 6, 7, 8, 29, 30, 31} {
			equalNames(t, fmt.Sprintf("pages of %d verifications", size), ids(b.verifications(records.Filter{Limit: size})), ids(whole)...)
			all := requests(b.decisions(records.Filter{Limit: size}))
			equal(t, fmt.Sprintf("pages of %d decisions", size), []any{len(all), all[0], all[29]}, []any{30, "request-29", "request-0"})
		}
	}},
	{"rows that come between two pages do not shift them", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1), accepted(2), accepted(3))
		b.decide(refused(1), refused(2), refused(3))
		_, next, err := b.Verifications(t.Context(), records.Filter{Limit: 1})
		_, nextDecision, errDecision := b.Decisions(t.Context(), records.Filter{Limit: 1})
		if err != nil || errDecision != nil {
			t.Fatal(err, errDecision)
		}
		b.send(accepted(4))
		b.decide(refused(4))
		equalNames(t, "verifications", ids(b.verifications(records.Filter{Limit: 1, After: next})), smsID(2), smsID(1))
		equalNames(t, "decisions", requests(b.decisions(records.Filter{Limit: 1, After: nextDecision})), "request-2", "request-1")
	}},
	{"a page has 1 to MaxPage rows", func(t *testing.T, b *recordsBench) {
		var many []records.Decision
		for n := range records.MaxPage + 1 {
			many = append(many, refused(n))
		}
		b.decide(many...)
		for limit, want := range map[int]int{-1: 1, 0: 1, 1: 1, 1_000_000: records.MaxPage} {
			page, next, err := b.Decisions(t.Context(), records.Filter{Limit: limit})
			if err != nil || len(page) != want || next.At.IsZero() {
				t.Errorf("limit %d: %d rows, %v, %v", limit, len(page), next, err)
			}
		}
	}},
	{"a cursor that nobody gave is an error, or an empty page", func(t *testing.T, b *recordsBench) {
		b.decide(refused(1))
		if page, _, err := b.Decisions(t.Context(), records.Filter{Limit: 1, After: records.Cursor{At: at(0), Row: "x'"}}); err == nil || len(page) > 0 {
			t.Errorf("%v, %v", page, err)
		}
		if page, _, err := b.Verifications(t.Context(), records.Filter{Limit: 1, After: records.Cursor{At: at(0), Row: "'\x00"}}); err != nil || len(page) > 0 {
			t.Errorf("%v, %v", page, err)
		}
	}},
	{"a row passes if everything that is given fits", func(t *testing.T, b *recordsBench) {
		v, d := accepted(2), refused(2)
		v.App, v.Scene, v.Country = "shop", "register", "US"
		d.App, d.Scene, d.Country, d.Action, d.Outcome, d.Rule = "shop", "register", "US", "verify", "code_incorrect", "guesses"
		b.append(records.Batch{Verifications: []records.Verification{accepted(1), v}, Decisions: []records.Decision{refused(1), d}})
		for name, f := range filtersOfTwo() {
			equalNames(t, name+" of verifications", ids(b.verifications(f)), smsID(2))
			equalNames(t, name+" of decisions", requests(b.decisions(f)), "request-2")
			f.App = "nobody"
			equalNames(t, name+" and app of verifications", ids(b.verifications(f)))
			equalNames(t, name+" and app of decisions", requests(b.decisions(f)))
		}
		for name, f := range map[string]records.Filter{"action": {Action: "verify"}, "outcome": {Outcome: "code_incorrect"}, "rule": {Rule: "guesses"}} {
			equalNames(t, name, requests(b.decisions(f)), "request-2")
		}
	}},
	{"a rule in shadow mode is found by its whole name alone", func(t *testing.T, b *recordsBench) {
		none, one, two, close := refused(1), refused(2), refused(3), refused(4)
		none.Shadow, one.Shadow, two.Shadow, close.Shadow = nil, []string{"login/try_1"}, []string{"net", "login/try_1"}, []string{"try_1", "login/try_10", "login/tryX1", "LOGIN/TRY_1"}
		b.decide(none, one, two, close)
		equalNames(t, "shadow", requests(b.decisions(records.Filter{Shadow: "login/try_1"})), "request-3", "request-2")
		equalNames(t, "part of a list", requests(b.decisions(records.Filter{Shadow: `net","login/try_1`})))
	}},
	{"of a subject's hashes one is enough", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1), accepted(2), accepted(3))
		b.decide(refused(1), refused(2), refused(3))
		f := records.Filter{Phones: []records.Hash{subject(9), subject(3), subject(1)}}
		equalNames(t, "verifications", ids(b.verifications(f)), smsID(3), smsID(1))
		equalNames(t, "decisions", requests(b.decisions(f)), "request-3", "request-1")
	}},
	{"a span of time has its first instant, and not its last", func(t *testing.T, b *recordsBench) {
		b.send(accepted(1), accepted(2), accepted(3))
		b.decide(refused(1), refused(2), refused(3))
		for _, span := range []struct {
			from, until time.Time
			want        []string
		}{
			{at(1), at(3), []string{"request-2", "request-1"}},
			{at(2), time.Time{}, []string{"request-3", "request-2"}},
			{time.Time{}, at(2), []string{"request-1"}},
			{at(1).Add(1), at(2).Add(1), []string{"request-2"}}, // a nanosecond later
			{at(3), at(1), nil},
		} {
			f := records.Filter{From: span.from, Until: span.until}
			equalNames(t, fmt.Sprint(span.from, " to ", span.until), requests(b.decisions(f)), span.want...)
			var found []string
			for _, v := range b.verifications(f) {
				found = append(found, v.RequestID)
			}
			equalNames(t, fmt.Sprint(span.from, " to ", span.until), found, span.want...)
		}
	}},
}

// filtersOfTwo each let the second row of two pass.
func filtersOfTwo() map[string]records.Filter {
	return map[string]records.Filter{
		"app":      {App: "shop"},
		"scene":    {Scene: "register"},
		"country":  {Country: "US"},
		"request":  {RequestID: "request-2"},
		"sms_id":   {SMSID: smsID(2)},
		"phones":   {Phones: []records.Hash{subject(2)}},
		"hosts":    {Hosts: []records.Hash{subject(2 + 64)}},
		"networks": {Networks: []records.Hash{subject(2 + 128)}},
		"devices":  {Devices: []records.Hash{subject(2 + 192)}},
		"from":     {From: at(2)},
		"all": {App: "shop", Scene: "register", Country: "US", RequestID: "request-2", SMSID: smsID(2), Phones: []records.Hash{subject(2)},
			Hosts: []records.Hash{subject(2 + 64)}, Networks: []records.Hash{subject(2 + 128)}, Devices: []records.Hash{subject(2 + 192)}, From: at(2), Until: at(3)},
	}
}
