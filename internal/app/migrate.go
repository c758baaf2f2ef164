package app

import (
	"context"

	"smsd/internal/config"
	"smsd/internal/store/sqlstore"
)

// MigrateUp brings the schema of the database up to date, as the start of an instance does, and returns what was lacking: with an
// error what the database took before it. It takes ten minutes at most, with the wait for another one that does the same.
func MigrateUp(ctx context.Context, cfg *config.Config) ([]sqlstore.Migration, error) {
	return migrations(ctx, cfg, (*sqlstore.DB).MigrateUp)
}

// Migrations returns every step of the schema, the oldest first, and when the database took it. It changes nothing.
func Migrations(ctx context.Context, cfg *config.Config) ([]sqlstore.Migration, error) {
	return migrations(ctx, cfg, (*sqlstore.DB).Migrations)
}

func migrations(ctx context.Context, cfg *config.Config, do func(*sqlstore.DB, context.Context) ([]sqlstore.Migration, error)) ([]sqlstore.Migration, error) {
	d, err := newDatabase(cfg)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, migrateTimeout)
	defer cancel()
	all, err := do(d.DB, ctx)
	if err != nil {
		return all, d.named(err)
	}
	return all, nil
}
