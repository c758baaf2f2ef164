package keytest_test

import (
	"testing"

	"smsd/internal/apikey"
	"smsd/internal/apikey/keytest"
	"smsd/internal/store/storetest"
)

// The store of tests keeps the contract that the database's does.
func TestStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Keys(t, func(*testing.T) apikey.Store { return &keytest.Store{} })
}
