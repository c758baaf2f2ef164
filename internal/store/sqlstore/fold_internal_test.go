package sqlstore

import (
	"slices"
	"testing"
	"time"

	"smsd/internal/records"
)

// A change goes into the row of its batch where all that the row says of its fate is what the change tells. What becomes of either
// in the database is the suite's.
func TestFold(t *testing.T) {
	t.Parallel()
	end := time.UnixMilli(1796018400123)
	fate := records.Fate{Gateway: "main"}
	rows := []records.Verification{{SMSID: "alone"}, {SMSID: "fated", Fate: fate}, {SMSID: "told"}, {SMSID: "unended"}}
	told := []records.Change{
		{SMSID: "early", ExpiresAt: end, Fate: fate}, {SMSID: "fated", ExpiresAt: end, Fate: fate}, {SMSID: "told", ExpiresAt: end, Fate: fate},
		{SMSID: "unended", Fate: fate}, {SMSID: "zealous", ExpiresAt: end},
	}
	alone, whole, left := fold(rows, told)
	for name, c := range map[string]struct{ got, want []string }{
		"alone": {idsOf(alone, verificationID), []string{"alone", "fated", "unended"}},
		"whole": {idsOf(whole, verificationID), []string{"told"}},
		"left":  {idsOf(left, changeID), []string{"early", "fated", "unended", "zealous"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if want := (records.Verification{SMSID: "told", ExpiresAt: end, Fate: fate}); whole[0].Fate != want.Fate || whole[0].ExpiresAt != end {
		t.Errorf("got %+v, want %+v", whole[0], want)
	}
	if rows[2].Fate != (records.Fate{}) || !rows[2].ExpiresAt.IsZero() {
		t.Error("the caller's row was changed")
	}
}

func idsOf[T any](rows []T, id func(*T) string) (ids []string) {
	for i := range rows {
		ids = append(ids, id(&rows[i]))
	}
	return ids
}
