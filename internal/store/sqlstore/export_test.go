package sqlstore

import "context"

// LockMigrations keeps others from migrating until it is unlocked.
func (d *DB) LockMigrations(ctx context.Context) (unlock func() error, err error) {
	m, err := d.dialect.migrator(ctx)
	if err != nil {
		return nil, err
	}
	return m.close, nil
}

// MigrateTo brings an empty database to a version.
func (d *DB) MigrateTo(ctx context.Context, version int64) error {
	m, err := d.dialect.migrator(ctx)
	if err != nil {
		return err
	}
	defer m.close()
	p, err := d.provider(m.db)
	if err != nil {
		return err
	}
	_, err = p.UpTo(ctx, version)
	return err
}

// Execute runs a statement on the tables, as they are.
func (d *DB) Execute(ctx context.Context, statement string) error {
	db, err := d.dialect.open(ctx)
	if err != nil {
		return err
	}
	defer db.close()
	_, err = db.write.ExecContext(ctx, statement)
	return err
}
