package records_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/records"
)

// Everything about one number, in clear, and nothing of another.
func TestDeskExport(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	r.fill(0, records.MaxPage+1)
	own := r.verification(1, alice, func(v *records.Verification) { v.Fate.VerifiedAt = deskStart.Add(time.Minute) })
	other := r.verification(2, bob)
	r.decision(3, bob)
	var file bytes.Buffer
	done, err := r.Export(t.Context(), phone.MustParse(alice), &file)
	if err != nil || done != (records.Exported{Verifications: 1, Decisions: records.MaxPage + 1}) {
		t.Fatalf("%+v, %v", done, err)
	}
	var got struct {
		Phone         string
		At            time.Time
		Verifications []map[string]any
		Decisions     []map[string]any
		NotIncluded   []string `json:"not_included"`
	}
	if err := json.Unmarshal(file.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%.500s", err, file.String())
	}
	if got.Phone != alice || !got.At.Equal(deskStart) || len(got.Verifications) != 1 || len(got.Decisions) != records.MaxPage+1 || len(got.NotIncluded) < 3 {
		t.Errorf("%.900s", file.String())
	}
	v := got.Verifications[0]
	if v["sms_id"] != deskID(1) || v["state"] != "verified" || v["verified_at"] != "2026-11-30T06:01:00Z" || v["device_hash"] != own.Whom.Device.String() || v["prefix"] != "+861380013" {
		t.Errorf("%v", v)
	}
	if strings.Contains(file.String(), other.RequestID) || strings.Contains(file.String(), other.Whom.Phone.String()) {
		t.Error("something of another number")
	}
	file.Reset()
	if done, err := r.Export(t.Context(), phone.MustParse("+6591234567"), &file); err != nil || done != (records.Exported{}) || !json.Valid(file.Bytes()) {
		t.Errorf("of a number without rows: %s, %v", file.String(), err)
	}
	r.rows.away = errors.New("gone")
	if _, err := r.Export(t.Context(), phone.MustParse(alice), &file); !errors.Is(err, records.ErrUnreadable) {
		t.Errorf("a database that is away: %v", err)
	}
}

// What other stores have to be asked about, and then nothing is found any more.
func TestDeskErase(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	r.verification(1, alice)
	r.verification(2, alice, func(v *records.Verification) { v.App, v.ExpiresAt = "bank", deskStart })
	r.decision(3, alice, func(d *records.Decision) { d.App = "club" })
	kept := r.verification(4, bob)
	apps, live, err := r.Apps(t.Context(), phone.MustParse(alice), deskStart)
	slices.Sort(apps)
	if err != nil || !slices.Equal(apps, []string{"bank", "club", "shop"}) || !slices.Equal(live, []records.Live{{SMSID: deskID(1), App: "shop"}}) {
		t.Errorf("apps %v, live %v, %v", apps, live, err)
	}
	erased, err := r.Erase(t.Context(), phone.MustParse(alice))
	if err != nil || erased != (records.Erased{Verifications: 2, Decisions: 1}) {
		t.Errorf("%+v, %v", erased, err)
	}
	if got := r.ids("phone", alice); len(got) != 0 {
		t.Errorf("found: %v", got)
	}
	v, err := r.Verification(t.Context(), "shop", deskID(1))
	if err != nil || v.Phone != "" || v.Subjects != (records.Subjects{}) || v.Country != "CN" {
		t.Errorf("the row that remains: %+v, %v", v, err)
	}
	if v, _ := r.Verification(t.Context(), kept.App, kept.SMSID); v.Phone == "" {
		t.Error("another number was erased too")
	}
	if erased, err := r.Erase(t.Context(), phone.MustParse(alice)); err != nil || erased != (records.Erased{}) {
		t.Errorf("again: %+v, %v", erased, err)
	}
	r.rows.away = errors.New("gone")
	if _, err := r.Erase(t.Context(), phone.MustParse(bob)); !errors.Is(err, records.ErrUnreadable) {
		t.Errorf("a database that is away: %v", err)
	}
}
