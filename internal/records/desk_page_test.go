package records_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/records"
)

// Pages go on from one to the next, each row once, while new rows arrive and time passes.
func TestDeskPages(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	for n := range 10 {
		r.verification(n, alice, func(v *records.Verification) { v.CreatedAt = deskStart.Add(time.Duration(n/4) * time.Second) })
	}
	search := r.search(records.OfVerifications, "phone", alice, "state", "accepted")
	var seen []string
	cursor := ""
	for pages := 0; ; pages++ {
		p, err := r.Verifications(t.Context(), search, cursor, 3)
		if err != nil || len(p.Rows) > 3 || !p.At.Equal(deskStart) {
			t.Fatalf("%d rows at %s, %v", len(p.Rows), p.At, err)
		}
		for _, v := range p.Rows {
			seen = append(seen, v.SMSID)
		}
		if cursor = p.Next; cursor == "" {
			break
		}
		r.verification(20+pages, alice)
		r.now = r.now.Add(time.Hour) // all are expired now; the listing goes on as it began
		search = r.search(records.OfVerifications, "phone", alice, "state", "accepted")
	}
	if len(seen) != 10 || !slices.IsSortedFunc(seen, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("seen %v", seen)
	}
}

// A cursor that no page of the same search gave is refused, whatever it is.
func TestDeskCursors(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	r.verification(1, alice)
	r.verification(2, alice)
	search := r.search(records.OfVerifications, "phone", alice)
	p, err := r.Verifications(t.Context(), search, "", 1)
	if err != nil || p.Next == "" || len(p.Next) > records.MaxCursor {
		t.Fatalf("%q, %v", p.Next, err)
	}
	good, _ := base64.RawURLEncoding.DecodeString(p.Next)
	changed := func(at int, to byte) string {
		text := slices.Clone(good)
		text[at] = to
		return base64.RawURLEncoding.EncodeToString(text)
	}
	for what, cursor := range map[string]string{
		"nonsense": "%%%", "no base64 of ours": "AAAA=", "short": p.Next[:20], "another version": changed(0, 9), "another hash": changed(1, good[1]+1),
		"another instant": changed(20, good[20]+1), "another row's instant": changed(28, good[28]+1), "another row": changed(len(good)-1, '9'), "no row": p.Next[:44],
		"long": strings.Repeat("A", records.MaxCursor+4), "a long row": base64.RawURLEncoding.EncodeToString(append(slices.Clone(good), good...)),
	} {
		_, err := r.Verifications(t.Context(), search, cursor, 1)
		if f, ok := errors.AsType[*records.FilterFault](err); !ok || f.Name != "cursor" {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, pairs := range map[string][]string{"another number": {"phone", bob}, "no number": nil, "one filter more": {"phone", alice, "app", "shop"}} {
		if _, err := r.Verifications(t.Context(), r.search(records.OfVerifications, pairs...), p.Next, 1); err == nil {
			t.Errorf("%s: the cursor is taken", what)
		}
	}
	if _, err := r.Decisions(t.Context(), search, "", 1); err == nil {
		t.Error("a search of verifications finds decisions")
	}
	if next, err := r.Verifications(t.Context(), search, p.Next, 1); err != nil || len(next.Rows) != 1 || next.Rows[0].SMSID != deskID(1) || next.Next != "" {
		t.Errorf("the good one: %+v, %v", next, err)
	}
}

// Numbers are found by, and opened with, every secret in rotation; one that is in use no more hides them.
func TestDeskRotation(t *testing.T) {
	t.Parallel()
	old := newDeskRig(t)
	old.verification(1, alice)
	both := newDeskRig(t, func(o *records.DeskOptions) {
		o.Reader, o.Keeper, o.Keys = old.rows, old.rows, deskKeys(t, "b", "a")
	})
	both.rows = old.rows
	both.verification(2, alice)
	if got := both.ids("phone", alice); len(got) != 2 {
		t.Errorf("under both secrets: %v", got)
	}
	v, err := both.Verification(t.Context(), "shop", deskID(1))
	if err != nil || v.Phone != "+86 138****8000" {
		t.Errorf("sealed with the older one: %q, %v", v.Phone, err)
	}
	if v, _ := old.Verification(t.Context(), "shop", deskID(2)); v.Phone != "" {
		t.Errorf("sealed with one that is not in use: %q", v.Phone)
	}
	erased, err := both.Erase(t.Context(), phone.MustParse(alice))
	if err != nil || erased.Verifications != 2 {
		t.Errorf("erased %+v, %v", erased, err)
	}
}
