package records_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/records"
)

func TestDeskNeedsItsParts(t *testing.T) {
	t.Parallel()
	if _, err := records.NewDesk(records.DeskOptions{Reader: &deskRows{}, Keeper: &deskRows{}}); err == nil {
		t.Error("a desk without keys")
	}
}

// One row, for its own app alone; and where nobody can tell, that.
func TestDeskVerification(t *testing.T) {
	t.Parallel()
	late := ""
	r := newDeskRig(t, func(o *records.DeskOptions) {
		o.Behind = func(_ context.Context, smsID string) bool { return smsID == late }
	})
	r.verification(1, alice)
	got, err := r.Verification(t.Context(), "shop", deskID(1))
	if err != nil || got.Phone != "+86 138****8000" || got.State != records.Accepted || got.Country != "CN" {
		t.Errorf("%+v, %v", got, err)
	}
	r.now = deskStart.Add(time.Hour)
	if got, _ := r.Verification(t.Context(), "shop", deskID(1)); got.State != records.Expired {
		t.Errorf("an hour later it is %s", got.State)
	}
	for what, c := range map[string][2]string{
		"another app's": {"bank", deskID(1)}, "none": {"shop", deskID(2)}, "no id": {"shop", "send"}, "empty": {"shop", ""},
		"upper case": {"shop", strings.ToUpper("abcdef00-0000-4000-8000-000000000001")}, "NUL": {"shop", strings.Replace(deskID(1), "0", "\x00", 1)},
		"a dash too many": {"shop", "-" + deskID(1)[1:]},
	} {
		if _, err := r.Verification(t.Context(), c[0], c[1]); err != records.ErrNotFound {
			t.Errorf("%s: %v", what, err)
		}
	}
	late = deskID(2)
	if _, err := r.Verification(t.Context(), "shop", late); !errors.Is(err, records.ErrUnreadable) {
		t.Errorf("a row that may be on its way: %v", err)
	}
	r.rows.away = errors.New("gone")
	if _, err := r.Verification(t.Context(), "shop", deskID(1)); !errors.Is(err, records.ErrUnreadable) {
		t.Errorf("a database that is away: %v", err)
	}
}

// Masks of a verification and of a decision about one number don't complete each other.
func TestDeskMasks(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	for n, number := range []string{alice, bob, "+6591234567", "+12025550123", "+881612345678", "+3545812345", "+68221234", "+6834002"} {
		r.verification(n, number)
		r.decision(n, number)
		v, err := r.Verifications(t.Context(), r.search(records.OfVerifications, "phone", number), "", 1)
		if err != nil || len(v.Rows) != 1 {
			t.Fatalf("%d rows, %v", len(v.Rows), err)
		}
		d, err := r.Decisions(t.Context(), r.search(records.OfDecisions, "phone", number), "", 1)
		if err != nil || len(d.Rows) != 1 {
			t.Fatalf("%d rows, %v", len(d.Rows), err)
		}
		masked := phone.MustParse(number).String()
		if v.Rows[0].Phone != masked || d.Rows[0].Phone != masked[:strings.Index(masked, "****")+4] {
			t.Errorf("%s and %s, want as in %s", v.Rows[0].Phone, d.Rows[0].Phone, masked)
		}
		prefix := phone.MustParse(number).Prefix() // of Niue's four digits it is the calling code, which anybody may see
		if text := fmt.Sprintf("%+v %+v", v, d); !strings.HasPrefix(masked, prefix) && strings.Contains(text, prefix[1:]) {
			t.Errorf("the prefix is shown: %s", text)
		}
	}
}

// Rows of one subject look alike, those of another do not, and of a hash only its beginning is shown.
func TestDeskSubjects(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	v := r.verification(1, alice)
	r.verification(2, "+8613800138001")
	r.decision(3, alice)
	r.decision(4, bob, func(d *records.Decision) { d.Whom, d.Prefix = records.Whom{}, "" })
	p, _ := r.Verifications(t.Context(), r.search(records.OfVerifications), "", 9)
	d, _ := r.Decisions(t.Context(), r.search(records.OfDecisions), "", 9)
	other, same, none, refused := p.Rows[0].Subjects, p.Rows[1].Subjects, d.Rows[0].Subjects, d.Rows[1].Subjects
	if same.Phone != v.Whom.Phone.String()[:12] || same.Device != v.Whom.Device.String()[:12] || len(same.Block) != 12 {
		t.Errorf("shown as %+v", same)
	}
	if same != refused || none != (records.Subjects{}) {
		t.Errorf("a subject's rows: %+v, %+v; without one: %+v", same, refused, none)
	}
	if other.Phone == same.Phone || other.Block != same.Block || other.Network != same.Network {
		t.Errorf("the next number of the block: %+v, %+v", other, same)
	}
}

// Every filter finds its rows and no others.
func TestDeskFilters(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	r.verification(1, alice)
	r.verification(2, bob, func(v *records.Verification) {
		v.App, v.Scene, v.Fate.VerifiedAt = "bank", "payment", deskStart
		v.Whom = whom(r.keys, bob, "2001:db8:1::9", "another")
	})
	both, first, second := []string{deskID(2), deskID(1)}, []string{deskID(1)}, []string{deskID(2)}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"app", "", both}, {"app", "shop", first}, {"app", "none", nil}, {"scene", "payment", second}, {"country", "gb", second}, {"country", "001", nil},
		{"state", "accepted", first}, {"state", "verified", second}, {"request_id", "request-" + deskID(1), first}, {"sms_id", deskID(2), second},
		{"phone", alice, first}, {"phone", " 86 138-0013-8000", first}, {"phone", "0044 7400 123456", second}, {"phone", "+8613800138001", nil},
		{"ip", "203.0.113.9", first}, {"ip", "203.0.113.8", nil}, {"ip", "2001:db8:1::1", second}, {"ip", "::ffff:203.0.113.9", first},
		{"network", "203.0.113.0/24", first}, {"network", "203.0.113.77", first}, {"network", "2001:db8:1::/48", second}, {"network", "198.51.100.0/24", nil},
		{"device", "another", second}, {"device", "Another", nil},
		{"from", "2026-11-30T06:00:02Z", second}, {"from", "2026-11-30", both}, {"from", "2026-11-30T14:00:02 08:00", second},
		{"until", "2026-11-30T06:00:02Z", first}, {"until", "2026-11-30", nil},
	} {
		if got := r.ids(c.name, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s=%s: %v, want %v", c.name, c.text, got, c.want)
		}
	}
	r.decision(3, alice)
	for name, text := range map[string]string{"outcome": "rate_limited", "action": "send", "rule": "cooldown", "shadow": "net-burst", "request_id": "refused-" + deskID(3)} {
		for value, want := range map[string]int{text: 1, strings.Replace(text, "send", "verify", 1) + "": 1} {
			p, err := r.Decisions(t.Context(), r.search(records.OfDecisions, name, value), "", 9)
			if err != nil || len(p.Rows) != want && value == text {
				t.Errorf("%s=%s: %d rows, %v", name, value, len(p.Rows), err)
			}
		}
	}
}

// Whatever is wrong with a search is named, all at once, and no text is repeated.
func TestDeskFilterFaults(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		of         records.Listing
		name, text string
		tooLong    bool
	}{
		{records.OfVerifications, "state", "done", false}, {records.OfVerifications, "outcome", "accepted", false},
		{records.OfDecisions, "state", "accepted", false}, {records.OfDecisions, "action", "call", false}, {records.OfDecisions, "outcome", "rate-limited", false}, {records.OfDecisions, "rule", long, true},
		{records.OfVerifications, "country", "China", false}, {records.OfVerifications, "country", "QQ", false}, {records.OfVerifications, "app", "a\x00b", false}, {records.OfVerifications, "scene", "\xff\xfe", false},
		{records.OfVerifications, "phone", "123", false}, {records.OfVerifications, "phone", long, true}, {records.OfVerifications, "ip", "203.0.113", false},
		{records.OfVerifications, "network", "203.0.113.0/25", false}, {records.OfVerifications, "network", "203.0.113.0/x", false},
		{records.OfVerifications, "device", long, true}, {records.OfVerifications, "device", "a\nb", false}, {records.OfVerifications, "from", "yesterday", false},
		{records.OfVerifications, "until", "0001-01-01", false}, {records.OfVerifications, "from", long, true}, {records.OfVerifications, "nothing", "x", false},
	} {
		_, err := r.Search(c.of, texts(c.name, c.text))
		faults, _ := errors.AsType[records.FilterFaults](err)
		if len(faults) != 1 || faults[0].Name != c.name || faults[0].TooLong != c.tooLong {
			t.Errorf("%s=%.20q: %v", c.name, c.text, err)
		}
		if c.text != "x" && strings.Contains(fmt.Sprint(err), c.text) {
			t.Errorf("the text is repeated: %v", err)
		}
	}
	for _, until := range []string{"2026-11-30", "2026-11-29"} {
		_, err := r.Search(records.OfDecisions, texts("from", "2026-11-30", "until", until))
		if faults, _ := errors.AsType[records.FilterFaults](err); len(faults) != 1 || faults[0].Name != "until" {
			t.Errorf("until %s: %v", until, err)
		}
	}
	_, err := r.Search(records.OfVerifications, texts("state", "x", "phone", "1", "from", "x", "app", "fine"))
	if faults, _ := errors.AsType[records.FilterFaults](err); len(faults) != 3 || !slices.Equal(faults[2].Known, records.States()) || !errors.Is(err, phone.ErrInvalid) {
		t.Errorf("all at once: %v", err)
	}
}
