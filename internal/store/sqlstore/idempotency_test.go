package sqlstore_test

import (
	"testing"

	"smsd/internal/idempotency"
	"smsd/internal/store/storetest"
)

func TestIdempotencyInSQLite(t *testing.T) {
	t.Parallel()
	storetest.Idempotency(t, func(t *testing.T) idempotency.Store { return openSQLite(t).Idempotency() })
}
