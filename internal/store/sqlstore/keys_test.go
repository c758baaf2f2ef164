package sqlstore_test

import (
	"testing"

	"smsd/internal/apikey"
	"smsd/internal/store/storetest"
)

func TestKeysInSQLite(t *testing.T) {
	t.Parallel()
	storetest.Keys(t, func(t *testing.T) apikey.Store { return openSQLite(t).Keys() })
}
