package sqlstore_test

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
)

// What people look for often is found by an index, and not by a walk through the table: in the order of the page where the
// filter is wide, by the subject where it is narrow.
func TestListingsUseAnIndex(t *testing.T) {
	t.Parallel()
	someone := []records.Hash{{1}, {2}}
	after := records.Cursor{At: time.Now(), Row: "7"}
	db := openSQLite(t)
	for index, f := range map[string]records.Filter{
		"verifications_created": {After: after, State: records.Accepted, Now: time.Now()},
		"verifications_app":     {App: "shop", From: time.Now(), After: after},
		"verifications_phone":   {Phones: someone, App: "shop"},
		"verifications_request": {RequestID: "request", App: "shop"},
		"decisions_at":          {Until: time.Now(), After: after},
		"decisions_app":         {App: "shop", Outcome: "rate_limited", After: after},
		"decisions_request":     {RequestID: "request", App: "shop"},
		"decisions_phone":       {Phones: someone, After: after},
		"decisions_host":        {Hosts: someone, App: "shop"},
		"decisions_network":     {Networks: someone[:1], From: time.Now()},
		"decisions_device":      {Devices: someone},
		"verifications_1":       {SMSID: "id", App: "shop"}, // the primary key's
	} {
		plan, err := planOf(t, db, index, f)
		if err != nil || !strings.Contains(plan, index+" ") || strings.Contains(plan, "SCAN") && !strings.Contains(plan, "USING INDEX") {
			t.Errorf("%s: %s, %v", index, plan, err)
		}
	}
}

func planOf(t *testing.T, db *sqlstore.DB, index string, f records.Filter) (string, error) {
	t.Helper()
	if strings.HasPrefix(index, "verifications") {
		return db.PlanOfVerifications(t.Context(), f)
	}
	return db.PlanOfDecisions(t.Context(), f)
}
