package sqlstore

import (
	"context"
	"database/sql"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

// statement is a text with ? for a value, and the values.
type statement struct {
	text   string
	values []any
}

// dialect is where the two databases differ.
type dialect struct {
	goose      goose.Dialect
	migrations fs.FS
	// numbered says that values are written $1, $2, and not ?.
	numbered bool
	// snapshot is the isolation in which a transaction sees one state.
	snapshot sql.IsolationLevel
	// exists asks for 1 if there is a table of this name.
	exists string
	// sealedWith is the id of the secret in front of a sealed number, in hex; see [smsd/internal/keyring].
	sealedWith string

	// rows is the source of many rows of one table at once, and values are theirs, of which at returns each. perStatement is how
	// many rows it takes, a power of two; 0: any number, with one text.
	rows         func(columns []column, rows int) string
	values       func(columns []column, rows int, at func(row, column int) cell) []any
	perStatement int
	// once counts a batch, with the values of [countBatch], and runs the rest if it was not written before: all of it or nothing.
	// The texts of the rest are the dialect's.
	once func(ctx context.Context, d dialect, p *pools, count []any, rest []statement) error
	// eachAtOnce has a transaction check with each statement what it would else check as it is committed; nil: it does.
	eachAtOnce []statement

	// erased does what remains to be done so that nothing is left of what was erased; nil: nothing.
	erased func(context.Context, *pools) error

	// open returns the connections, once the schema is there.
	open func(context.Context) (*pools, error)
	// look returns one that changes nothing, to see which schema is there.
	look func(context.Context) (*sql.DB, error)
	// migrator returns what a migration runs with.
	migrator func(context.Context) (*migrator, error)
	// isHeldUp says whether a migration failed since somebody else held a table; nil: it waits for that itself.
	isHeldUp func(error) bool
	// mayMigrate says what the user lacks for what is pending; nil: who opens the database may do all.
	mayMigrate func(context.Context, runner) error
	// checks are what Examine looks at, the reach first.
	checks []check
	// made says whether the database is there; false: it is made by the first migration.
	made func() (bool, error)
}

// text writes a statement's values as the dialect does.
func (d dialect) text(statement string) string {
	if !d.numbered || !strings.Contains(statement, "?") {
		return statement
	}
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(statement, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		statement = after
	}
}
