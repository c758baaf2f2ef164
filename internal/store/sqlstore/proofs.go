package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"smsd/internal/proof"
)

// Proofs remembers which tokens were used. See [DB.Proofs].
type Proofs struct{ db *DB }

var _ proof.Consumed = Proofs{}

// Proofs returns the driver of package proof.
func (d *DB) Proofs() Proofs { return Proofs{d} }

// Consume implements [proof.Consumed].
func (p Proofs) Consume(ctx context.Context, jti, app string, until time.Time) error {
	err := p.db.write(ctx, "consume a token", func(ctx context.Context, t runner) error {
		return one(t.exec(ctx, "INSERT INTO consumed_tokens (jti, app, consumed_at, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (jti) DO NOTHING",
			storable(jti), storable(app), p.db.now().UnixMilli(), until.UnixMilli()))(proof.ErrConsumed)
	})
	if errors.Is(err, ErrUnavailable) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %w", proof.ErrUnavailable, err)
	}
	return err
}

// Purge removes at most limit tokens that have expired at now, and says how many.
func (p Proofs) Purge(ctx context.Context, now time.Time, limit int) (removed int64, err error) {
	err = p.db.write(ctx, "purge tokens", func(ctx context.Context, t runner) (err error) {
		removed, err = t.exec(ctx, `DELETE FROM consumed_tokens WHERE jti IN (
	SELECT jti FROM consumed_tokens WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, now.UnixMilli(), max(limit, 0))
		return err
	})
	return removed, err
}
