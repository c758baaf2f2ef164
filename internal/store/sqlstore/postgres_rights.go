package sqlstore

import (
	"context"
	"errors"
)

// What a user lacks who may not migrate. PostgreSQL 15 and later let nobody make tables in public who was not told so, and a
// table is changed by its owner alone.
var (
	errNoTables = errors.New("the user may not make tables: grant CREATE on the schema to it, or run smsd migrate up as a user who may")
	errNotOwner = errors.New("the user may not change the tables: run smsd migrate up as the user who owns them")
)

// mayMigratePostgres finds out at once whether the user may do what is pending. Without it goose tries for three seconds to make
// its own table, which looks like a server that does not answer.
func mayMigratePostgres(ctx context.Context, in runner) error {
	var made, may bool
	err := in.row(ctx, `SELECT to_regclass(?) IS NOT NULL, CASE
		WHEN to_regclass(?) IS NULL THEN COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false)
		ELSE NOT EXISTS (SELECT 1 FROM pg_class WHERE oid = to_regclass('verifications') AND NOT pg_has_role(relowner, 'USAGE')) END`,
		versionTable, versionTable).Scan(&made, &may)
	switch {
	case err != nil || may:
		return err
	case made:
		return errNotOwner
	}
	return errNoTables
}
