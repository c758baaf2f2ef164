package httpapi

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"smsd/internal/records"
	"smsd/internal/secret"
)

// listing decodes a page.
type listing struct {
	Verifications []map[string]any
	Decisions     []map[string]any
	Next          string
	At            string
}

func (a *api) listing(path string) listing {
	a.Helper()
	r := a.operate("GET", path, "")
	var l listing
	if err := json.Unmarshal(r.body, &l, json.MatchCaseInsensitiveNames(true)); err != nil || r.status != 200 {
		a.Fatalf("%s: %d %v: %s", path, r.status, err, r.body)
	}
	return l
}

// ids are the sms_ids of a page of verifications.
func (l listing) ids() []string {
	all := []string{}
	for _, row := range l.Verifications {
		all = append(all, fmt.Sprint(row["sms_id"]))
	}
	return all
}

// Newest first, masked, with what it was.
func TestListVerifications(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	if got := a.operate("GET", "/api/v1/verifications", ""); string(got.body) != `{"verifications":[],"at":"2026-11-30T06:00:00Z"}` {
		t.Errorf("none: %s", got.body)
	}
	second := rows.row(2, "+447400123456")
	second.Fate.VerifiedAt = start
	rows.append(records.Batch{Verifications: []records.Verification{rows.row(1, alice), second}})
	l := a.listing("/api/v1/verifications")
	if !slices.Equal(l.ids(), []string{rowID(1), rowID(2)}) || l.Next != "" {
		t.Errorf("%v, next %q", l.ids(), l.Next)
	}
	first := l.Verifications[0]
	for name, want := range map[string]any{
		"phone": "+86 138****8000", "state": "accepted", "cost_micros": 45000.0, "currency": "CNY", "segments": 1.0, "gateway": "mock",
		"phone_hash": rows.whom(alice).Phone.String()[:12], "device_hash": rows.whom(alice).Device.String()[:12], "request_id": "request-1",
	} {
		if first[name] != want {
			t.Errorf("%s is %v, want %v", name, first[name], want)
		}
	}
	for query, want := range map[string][]string{
		"?phone=%2B8613800138000": {rowID(1)}, "?phone=+86 138 0013 8000": {rowID(1)}, "?state=verified": {rowID(2)}, "?country=GB&app=default": {rowID(2)},
		"?sms_id=" + rowID(2): {rowID(2)}, "?sms_id=" + strings.ToUpper(rowID(2)): {rowID(2)}, "?request_id=request-1": {rowID(1)}, "?ip=203.0.113.9&device=device-1": {rowID(1), rowID(2)},
		"?network=203.0.113.0/24&limit=1": {rowID(1)}, "?ip=203.0.113.10": {}, "?from=2026-11-30T05:59:59Z": {rowID(1)}, "?until=2026-11-30T05:59:59Z": {rowID(2)},
		"?phone=&state=": {rowID(1), rowID(2)},
	} {
		if got := a.listing("/api/v1/verifications" + strings.ReplaceAll(query, " ", "%20")).ids(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	a.isAbsent("a number", "13800138000", "1380013", "7400123456")
	a.isAbsent("an address", "203.0.113.9")
}

// From the id that a client saw to what refused it.
func TestFoundByRequestID(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	rows.append(records.Batch{Decisions: []records.Decision{rows.refusal(1, alice), rows.refusal(2, alice)}})
	l := a.listing("/api/v1/decisions?request_id=refused-2")
	if len(l.Decisions) != 1 {
		t.Fatalf("%v", l)
	}
	for name, want := range map[string]any{
		"rule": "cooldown", "used": 1.0, "limit": 1.0, "folded": 3.0, "outcome": "rate_limited", "action": "send", "phone": "+86 138****", "at": "2026-11-30T05:59:58Z",
	} {
		if l.Decisions[0][name] != want {
			t.Errorf("%s is %v, want %v", name, l.Decisions[0][name], want)
		}
	}
	if fmt.Sprint(l.Decisions[0]["shadow"]) != "[net-burst]" {
		t.Errorf("shadow %v", l.Decisions[0]["shadow"])
	}
	for query, want := range map[string]int{"outcome=rate_limited": 2, "outcome=accepted": 0, "rule=cooldown&action=send": 2, "action=verify": 0, "phone=%2B8613800138000": 2} {
		if got := len(a.listing("/api/v1/decisions?" + query).Decisions); got != want {
			t.Errorf("%s: %d rows, want %d", query, got, want)
		}
	}
	a.isAbsent("a number", "13800138000", "1380013")
}

// Each row once, page by page, while new ones arrive.
func TestListPages(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	rows.fill(7)
	var seen []string
	path := "/api/v1/verifications?phone=%2B8613800138000&limit=3"
	for page, cursor := 1, ""; ; page++ {
		l := a.listing(path + cursor)
		seen = append(seen, l.ids()...)
		if l.Next == "" {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(l.Next)
		rows.append(records.Batch{Verifications: []records.Verification{rows.row(-page, alice)}})
	}
	if len(seen) != 7 || seen[0] != rowID(0) || seen[6] != rowID(6) {
		t.Errorf("seen %v", seen)
	}
	next := a.listing(path).Next
	for _, query := range []string{"?limit=3&cursor=" + next, "?phone=%2B8613800138001&cursor=" + next, "?cursor=x", "?cursor=" + strings.Repeat("A", 500)} {
		a.want(a.operate("GET", "/api/v1/verifications"+query, ""), 400, "invalid_request")
	}
	a.want(a.operate("GET", "/api/v1/decisions?phone=%2B8613800138000&cursor="+next, ""), 400, "invalid_request")
	if l := a.listing("/api/v1/verifications"); len(l.Verifications) != 9 {
		t.Errorf("%d rows where nobody says how many", len(l.Verifications))
	}
}

// What is not documented is refused, each fault by its name.
func TestListFaults(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	for query, want := range map[string]string{
		"nothing=1": "unknown", "state=done": "invalid", "outcome=accepted": "unknown", "limit=0": "invalid", "limit=501": "invalid", "limit=x": "invalid",
		"state=failed&state=failed": "duplicate", "format=xml": "invalid", "format=csv&limit=1": "invalid", "format=csv&cursor=x": "invalid",
		"app=" + strings.Repeat("x", 65): "too_long", "app=%00": "invalid", "scene=%ff": "invalid", "country=China": "invalid", "ip=x": "invalid", "network=x/24": "invalid",
		"device=" + strings.Repeat("x", 129): "too_long", "from=x": "invalid", "until=0000-01-01": "invalid", "app=%zz": "invalid", "app=a;scene=b": "invalid",
	} {
		r := a.operate("GET", "/api/v1/verifications?"+query, "")
		a.want(r, 400, "invalid_request")
		if !strings.Contains(string(r.body), `"code":"`+want+`"`) {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	for query, known := range map[string][]string{"outcome=refused": records.Outcomes(), "action=call": records.Actions(), "format=xml": {"json", "csv"}, "outcome=x&format=csv": records.Outcomes()} {
		r := a.operate("GET", "/api/v1/decisions?"+query, "")
		a.want(r, 400, "invalid_request")
		if list, err := json.Marshal(known); err != nil || !strings.Contains(string(r.body), `"code":"invalid","known":`+string(list)) {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	a.want(a.operate("GET", "/api/v1/verifications?phone=123", ""), 422, "invalid_phone")
	a.want(a.operate("GET", "/api/v1/decisions?state=failed", ""), 400, "invalid_request")
	a.want(a.operate("POST", "/api/v1/decisions", ""), 405, "method_not_allowed")
	rows.cut(errors.New("away"))
	a.want(a.operate("GET", "/api/v1/decisions", ""), 503, "unavailable")
	a.want(a.operate("GET", "/api/v1/decisions?format=csv", ""), 503, "unavailable")
}

// The listings are the operator's.
func TestListingsAreGuarded(t *testing.T) {
	t.Parallel()
	rows := newArchive(t)
	a := newAPI(t, rows.use, func(s *setup) { s.http.AdminToken = secret.New("an-admin-token-of-the-operator") })
	for _, path := range []string{"/api/v1/verifications", "/api/v1/decisions", "/api/v1/decisions?format=csv"} {
		a.want(a.operate("GET", path, ""), 401, "unauthorized")
		a.want(a.operate("GET", path, "", "Authorization", "Bearer an-admin-token-of-the-operator"), 200, "")
		a.want(a.operate("GET", path, "", "Authorization", "Bearer an-admin-token-of-the-operator", "Origin", "https://evil.example"), 403, "forbidden")
		a.want(a.do(a.public, request("GET", "http://127.0.0.1:8080"+path, "")), 404, "not_found")
	}
}

// The document has every filter, and the columns of a file are the fields of an answer.
func TestListingsAreDocumented(t *testing.T) {
	t.Parallel()
	var doc struct {
		Paths map[string]struct {
			Get struct {
				Parameters []struct {
					Name   string
					Schema struct{ Enum []string }
				}
			}
		}
	}
	if err := json.Unmarshal(openAPIDocument, &doc, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	rows := newArchive(t)
	a := newAPI(t, rows.use)
	v := rows.row(1, alice)
	v.Fate.DeliveredAt, v.Fate.VerifiedAt, v.Fate.FailedAt, v.Fate.ResentAt, v.Fate.ExpiredAt = start, start, start, start, start
	v.Fate.Resends, v.Fate.Failure, v.Fate.FailureCode = 1, "rejected", "MK:0001"
	d := rows.refusal(1, alice)
	d.SMSID, d.Gateway = v.SMSID, "mock"
	rows.append(records.Batch{Verifications: []records.Verification{v}, Decisions: []records.Decision{d}})
	for _, of := range []records.Listing{records.OfVerifications, records.OfDecisions} {
		path := "/api/v1/" + string(of)
		var named []string
		lists := map[string][]string{"format": {"json", "csv"}}
		for _, f := range of.Filters() {
			lists[f.Name] = f.Known
		}
		for _, p := range doc.Paths[path].Get.Parameters {
			named = append(named, p.Name)
			if !slices.Equal(p.Schema.Enum, lists[p.Name]) {
				t.Errorf("%s: %s: documented %v, taken %v", of, p.Name, p.Schema.Enum, lists[p.Name])
			}
		}
		if want := append(filterNames(of), "cursor", "limit", "format"); !slices.Equal(named, want) {
			t.Errorf("%s: documented %v, taken %v", of, named, want)
		}
		l := a.listing(path)
		head, _, _ := strings.Cut(string(a.operate("GET", path+"?format=csv", "").body), "\r\n")
		columns := strings.Split(head, ",")
		row := append(l.Verifications, l.Decisions...)[0]
		for name := range row {
			if !slices.Contains(columns, name) {
				t.Errorf("%s: %s is in no column", of, name)
			}
		}
		if len(row) != len(columns) {
			t.Errorf("%s: %d fields, %d columns: %v", of, len(row), len(columns), row)
		}
	}
}
