package prooftest_test

import (
	"testing"

	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
	"smsd/internal/store/storetest"
)

func TestConsumed(t *testing.T) {
	t.Parallel()
	storetest.Consumed(t, func(*testing.T) proof.Consumed { return &prooftest.Consumed{} })
}
