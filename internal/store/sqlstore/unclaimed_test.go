package sqlstore_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
)

// What was told of a message that is nobody's goes after its time, by the store's clock, while a message that has an owner
// keeps its name as long as verifications are kept.
func TestNamesThatAreNobodysGoSooner(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	begun := time.Now()
	db := open(t, sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db"),
		Now: func() time.Time { return begun.Add(time.Duration(passed.Load())) }})
	told := records.Fate{Delivery: records.DeliveryAccepted}
	batch := records.Batch{Writer: "writer-a", Seq: 1, Handles: []records.Handle{
		{Gateway: "main", ProviderID: "owned", SMSID: "sms-1", Fate: told}, {Gateway: "main", ProviderID: "unclaimed", Fate: told},
	}}
	if err := db.Records().Append(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		pass time.Duration
		want int64
	}{{records.UnclaimedKept - time.Second, 0}, {2 * time.Second, 1}, {time.Hour, 0}} {
		passed.Add(int64(step.pass))
		got, err := db.Records().Purge(t.Context(), begun.Add(-time.Hour), begun.Add(-time.Hour), 10)
		if err != nil || got != (records.Purged{Handles: step.want}) {
			t.Errorf("after %s: %+v, %v, want %d", time.Duration(passed.Load()), got, err, step.want)
		}
	}
	if owners, err := db.Records().Owners(t.Context(), "main", []string{"owned"}); err != nil || len(owners) != 1 {
		t.Errorf("%v, %v", owners, err)
	}
}
