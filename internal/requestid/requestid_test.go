package requestid_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"smsd/internal/requestid"
)

// Ids are UUIDs that never come twice, and those that are made later come later in an index.
func TestIDsGrow(t *testing.T) {
	t.Parallel()
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = requestid.New()
		if id, err := uuid.Parse(ids[i]); err != nil || id.Version() != 7 || id.String() != ids[i] {
			t.Fatalf("%s: %v, version %d", ids[i], err, id.Version())
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 1000 {
		t.Errorf("not in order, or not distinct: %v", ids[:3])
	}
}
