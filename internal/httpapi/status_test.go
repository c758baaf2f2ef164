package httpapi

import (
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/records"
)

func (a *api) status(id string, header ...string) *reply {
	a.Helper()
	return a.do(a.public, request("GET", "http://127.0.0.1:8080/api/v1/sms/"+id, "", header...))
}

// The life of a verification, as far as its app's backend may see it.
func TestStatus(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	fresh, verified, expired, failed := rows.row(1, alice), rows.row(2, alice), rows.row(300, alice), rows.row(4, alice)
	verified.Fate.DeliveredAt, verified.Fate.VerifiedAt, verified.Fate.Resends = start.Add(-time.Second), start, 2
	failed.Fate.FailedAt, failed.Fate.Failure = start, "invalid_number"
	rows.append(records.Batch{Verifications: []records.Verification{fresh, verified, expired, failed}})
	for id, want := range map[string]string{fresh.SMSID: "accepted", verified.SMSID: "verified", expired.SMSID: "expired", failed.SMSID: "failed"} {
		r := a.status(id)
		if r.status != 200 || r.text("state") != want || r.text("sms_id") != id || r.text("phone") != "+86 138****8000" {
			t.Errorf("want %s: %d %s", want, r.status, r.body)
		}
		for _, hidden := range []string{"gateway", "cost_micros", "failure", "request_id", "phone_hash", "app"} {
			if r.field(hidden) != nil {
				t.Errorf("%s is shown: %s", hidden, r.body)
			}
		}
	}
	r := a.status(strings.ToUpper(verified.SMSID))
	if r.number("resends") != 2 || r.text("verified_at") != "2026-11-30T06:00:00Z" || r.text("delivered_at") != "2026-11-30T05:59:59Z" || r.text("created_at") != "2026-11-30T05:59:58Z" {
		t.Errorf("%s", r.body)
	}
	a.isAbsent("a number", "13800138000", "1380013")
}

// An app's server sees its own, and nobody else does.
func TestStatusIsOfOneApp(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use, func(s *setup) { s.http.Dev = false })
	own := rows.row(1, alice)
	own.App = "shop"
	rows.append(records.Batch{Verifications: []records.Verification{own, rows.row(2, alice)}})
	a.want(a.status(own.SMSID, with(a.keys.Secret("shop"))...), 200, "")
	a.want(a.status(own.SMSID, with(a.keys.Secret("bank"))...), 404, "verification_not_found")
	a.want(a.status(rowID(2), with(a.keys.Secret("shop"))...), 404, "verification_not_found")
	a.want(a.status(own.SMSID, with(a.keys.Publishable("shop"))...), 403, "forbidden")
	a.want(a.status(own.SMSID), 401, "unauthorized")
}

// The wildcard of the status hides neither what a call beside it takes nor that a mistyped call is none.
func TestStatusLeavesTheCallsBesideItAlone(t *testing.T) {
	t.Parallel()
	a := newAPI(t, newArchive(t).use)
	const sms, post, get = "http://127.0.0.1:8080/api/v1/sms/", "OPTIONS, POST", "OPTIONS, GET, HEAD"
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"POST", "sned", 404, ""}, {"POST", "send/", 404, ""}, {"PUT", "sned", 404, ""}, {"OPTIONS", "sned", 404, ""},
		{"GET", "send", 405, post}, {"PUT", "send", 405, post}, {"DELETE", "resend", 405, post}, {"OPTIONS", "verify", 204, post},
		{"POST", rowID(1), 405, get}, {"DELETE", rowID(1), 405, get}, {"OPTIONS", rowID(1), 204, get},
	} {
		r := a.do(a.public, request(c.method, sms+c.path, ""))
		if r.status != c.status || r.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: %d, Allow %q", c.method, c.path, r.status, r.header.Get("Allow"))
		}
	}
}

// Never a wrong 404: where nobody can tell, that is what is said.
func TestStatusOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	other := rows.row(1, alice)
	other.App = "another"
	rows.append(records.Batch{Verifications: []records.Verification{other}})
	for _, id := range []string{other.SMSID, rowID(2), "nothing", strings.Repeat("a", 5000), rowID(1) + "0"} {
		a.want(a.status(id), 404, "verification_not_found")
	}
	if looks := rows.looks.Load(); looks != 2 {
		t.Errorf("%d looks, want 2: what is no id is not asked for", looks)
	}
	rows.late = rowID(3)
	a.want(a.status(rows.late), 503, "unavailable")
	rows.cut(errors.New("away"))
	a.want(a.status(other.SMSID), 503, "unavailable")
	a.want(a.status(other.SMSID+"?app=another"), 400, "invalid_request")
	for _, name := range []string{"send", "resend", "verify"} {
		a.want(a.status(name), 405, "method_not_allowed")
	}
	if n := strings.Count(a.log.String(), "a look at the records failed"); n != 1 {
		t.Errorf("%d lines, want 1 a second", n)
	}
}

// Without records there is nothing to list.
func TestNoRecords(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(a.operate("GET", "/api/v1/verifications", ""), 404, "not_found")
	a.want(a.operate("GET", "/api/v1/decisions", ""), 404, "not_found")
}
