package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Check is what one look at a database came to. Nothing in it is secret.
type Check struct {
	Name string // one word
	Seen string // what was seen, one line
	Do   string // what to do about it, one line; "": nothing
}

const (
	// examineTimeout is how long one check may take.
	examineTimeout = 5 * time.Second
	doReach        = "check that the server runs, the way to it, and user, password and database in the URL"
)

// Examine looks at the database as a start would find it, each check in 5 s at most. It changes nothing: it makes no
// file, and what it tries to write is undone. The first check is the reach; where that fails there are no others.
func (d *DB) Examine(ctx context.Context) []Check {
	db, err := d.dialect.look(ctx)
	if err != nil {
		return []Check{{"reach", failed(ctx, "open", err).Error(), doReach}}
	}
	defer db.Close()
	if made, err := d.dialect.made(); err == nil && !made {
		return []Check{{"reach", "there is none yet; the start makes it", ""}}
	}
	in := runner{d.dialect, db}
	var all []Check
	for _, look := range append(d.dialect.checks, check{"schema", d.schema}) {
		one := look.in(ctx, in)
		all = append(all, one)
		if one.Name == "reach" && one.Do != "" {
			return all
		}
	}
	return all
}

// check is a name and what it looks at: it returns what was seen and what to do.
type check struct {
	name string
	look func(context.Context, runner) (seen, do string, err error)
}

func (c check) in(ctx context.Context, in runner) Check {
	ctx, cancel := context.WithTimeout(ctx, examineTimeout)
	defer cancel()
	seen, do, err := c.look(ctx, in)
	if err != nil {
		return Check{c.name, failed(ctx, "examine", err).Error(), doReach}
	}
	return Check{c.name, seen, do}
}

func (d *DB) schema(ctx context.Context, in runner) (seen, do string, err error) {
	all, err := d.Migrations(ctx)
	if errors.Is(err, ErrNewer) {
		return err.Error(), "run a newer smsd", nil
	}
	if err != nil && !errors.Is(err, ErrUnavailable) {
		return err.Error(), "let the user SELECT on " + versionTable + ", which tells the schema's version", nil
	}
	if err != nil {
		return "", "", err
	}
	left := len(pending(all))
	if left == 0 {
		return fmt.Sprintf("all %d steps are applied", len(all)), "", nil
	}
	seen = fmt.Sprintf("%d of %d steps are pending", left, len(all))
	switch err := d.mayMigrate(ctx, in); {
	case errors.Is(err, errNoTables), errors.Is(err, errNotOwner):
		return seen + ", and the start can't apply them: the user may not", "run smsd migrate up as a user who may change the tables", nil
	case err != nil:
		return "", "", err
	}
	return seen + "; the start applies them", "", nil
}
