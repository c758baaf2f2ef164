package sqlstore_test

import (
	"testing"

	"smsd/internal/apikey"
	"smsd/internal/idempotency"
	"smsd/internal/proof"
	"smsd/internal/store/sqlstore"
	"smsd/internal/store/storetest"
)

func TestSQLite(t *testing.T) {
	t.Parallel()
	suites(t, openSQLite)
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	suites(t, postgresDatabases(t))
}

// suites puts the four drivers through their contracts.
func suites(t *testing.T, open func(testing.TB) *sqlstore.DB) {
	t.Run("records", func(t *testing.T) {
		storetest.Records(t, func(t *testing.T) storetest.RecordsStore { return open(t).Records() })
	})
	t.Run("keys", func(t *testing.T) {
		storetest.Keys(t, func(t *testing.T) apikey.Store { return open(t).Keys() })
	})
	t.Run("idempotency", func(t *testing.T) {
		storetest.Idempotency(t, func(t *testing.T) idempotency.Store { return open(t).Idempotency() })
	})
	t.Run("proofs", func(t *testing.T) {
		storetest.Consumed(t, func(t *testing.T) proof.Consumed { return open(t).Proofs() })
	})
}
