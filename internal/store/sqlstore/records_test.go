package sqlstore_test

import (
	"testing"

	"smsd/internal/store/storetest"
)

func TestRecordsInSQLite(t *testing.T) {
	t.Parallel()
	storetest.Records(t, func(t *testing.T) storetest.RecordsStore { return openSQLite(t).Records() })
}
