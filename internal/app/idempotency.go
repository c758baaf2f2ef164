package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/idempotency"
)

// newLedger returns what executes requests with an Idempotency-Key once. Its clock is the stores', so that whoever moves
// theirs moves what is kept under a key with it.
func (a *App) newLedger(s secrets, r prometheus.Registerer) (*idempotency.Ledger, error) {
	return idempotency.New(idempotency.Options{
		Store: a.database.Idempotency(), IndexSecret: s.index, Secrets: s.root, Now: a.stores.now, Logger: a.logger, Registerer: r,
	})
}
