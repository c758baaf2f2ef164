package records_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"

	"smsd/internal/records"
)

// paged counts what it is told, and fails after so many.
type paged struct {
	bytes.Buffer
	flushed, most int
}

var errHungUp = errors.New("hung up")

func (p *paged) Flush() error {
	if p.flushed++; p.flushed == p.most {
		return errHungUp
	}
	return nil
}

// The whole of a listing, page by page, as RFC 4180 has it.
func TestDeskCSV(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	r.fill(records.MaxPage+1, 0)
	var file paged
	if err := r.WriteCSV(t.Context(), &file, r.search(records.OfVerifications)); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != records.MaxPage+2 || file.flushed != 2 || strings.Count(text, "\r\n") != len(rows) {
		t.Fatalf("%d rows, %d pages, %v", len(rows), file.flushed, err)
	}
	first := map[string]string{}
	for n, name := range rows[0] {
		first[name] = rows[1][n]
	}
	if first["sms_id"] != deskID(records.MaxPage) || first["phone"] != "'+86 138****8000" || first["created_at"] != "2026-11-30T06:08:20Z" || first["segments"] != "1" || first["delivered_at"] != "" {
		t.Errorf("%v", first)
	}
	if strings.Contains(text, "13800138000") || strings.Contains(text, "1380013") || strings.Contains(text, "203.0.113") {
		t.Error("something in clear")
	}
	if err := r.WriteCSV(t.Context(), &paged{most: 1}, r.search(records.OfVerifications)); !errors.Is(err, errHungUp) {
		t.Errorf("who hangs up: %v", err)
	}
	var empty paged
	if err := r.WriteCSV(t.Context(), &empty, r.search(records.OfDecisions)); err != nil || !strings.HasPrefix(empty.String(), "at,request_id,app,") || strings.Count(empty.String(), "\n") != 1 {
		t.Errorf("no rows: %q, %v", empty.String(), err)
	}
}

// CWE-1236: no cell is a formula, and numbers and instants are what they were.
func TestDeskCSVHasNoFormulas(t *testing.T) {
	t.Parallel()
	r := newDeskRig(t)
	bad := []string{`=cmd|' /C calc'!A0`, "+1+1", "-1", "@SUM(1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x", `a"b,c`, "plain"}
	for n, text := range bad {
		r.decision(n, alice, func(d *records.Decision) {
			d.App, d.Scene, d.Rule, d.Gateway, d.RequestID, d.Shadow = text, text, text, text, text, []string{text, "b"}
			d.Used, d.Limit, d.Folded = -1, 5, 0
		})
	}
	var file paged
	if err := r.WriteCSV(t.Context(), &file, r.search(records.OfDecisions)); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(rows) != len(bad)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	slices.Reverse(rows[1:])
	for n, row := range rows[1:] {
		for at, cell := range row {
			name := rows[0][at]
			if name == "used" && cell != "-1" || name == "limit" && cell != "5" || name == "at" && !strings.HasPrefix(cell, "2026-") {
				t.Errorf("%s is %q", name, cell)
			}
			if name != "used" && cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
				t.Errorf("%s is %q", name, cell)
			}
			if want := strings.ReplaceAll(bad[n], "\r", ""); name == "rule" && strings.TrimPrefix(cell, "'") != want && cell != "'"+bad[n] {
				t.Errorf("rule is %q, was %q", cell, bad[n])
			}
		}
	}
}
