// Package migrations embeds the SQL schema: one folder for each dialect, with files of the same numbers and names that
// make the same tables. They are applied in the order of their numbers, each in a transaction of its own, and
// never changed once they were released: what is to be different comes in the next one. There is no way back.
//
// Instants are milliseconds since 1970 in UTC, and NULL is never. What tells who somebody is, is a keyed hash or sealed.
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// SQLite returns the files for SQLite.
func SQLite() fs.FS { return folder("sqlite") }

// Postgres returns the files for PostgreSQL.
func Postgres() fs.FS { return folder("postgres") }

// folder returns one of those that are embedded: the name is a constant, so that it cannot fail.
func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic("migrations: " + err.Error())
	}
	return sub
}
