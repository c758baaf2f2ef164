package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"smsd/migrations"
)

// newPostgres returns the dialect of a server. It touches nothing.
func newPostgres(o Options) (dialect, error) {
	config, err := pgx.ParseConfig(o.URL.Reveal())
	if err != nil {
		return dialect{}, errors.New("database.url: is no valid PostgreSQL URL") // err may quote it
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	p := postgres{config: config, size: cmp.Or(o.PoolSize, defaultPool)}
	return dialect{
		goose:      goose.DialectPostgres,
		migrations: migrations.Postgres(),
		numbered:   true,
		snapshot:   sql.LevelRepeatableRead,
		exists:     "SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass(?)",
		sealedWith: "encode(substring(sealed FROM 2 FOR 4), 'hex')",
		rows:       unnest,
		values:     arrays,
		once:       pipelined,
		eachAtOnce: []statement{{text: "SET CONSTRAINTS ALL IMMEDIATE"}},
		open:       p.open,
		look:       p.look,
		checks:     postgresChecks(),
		migrator:   p.migrator,
		isHeldUp:   isLockTimeout,
		mayMigrate: mayMigratePostgres,
		made:       func() (bool, error) { return true, nil },
	}, nil
}

// unnest is the source of any number of rows: an array for each column.
func unnest(columns []column, _ int) string {
	var all []string
	for _, c := range columns {
		all = append(all, "?::"+string(c.kind)+"[]")
	}
	return "SELECT * FROM unnest(" + strings.Join(all, ", ") + ")"
}

// postgres is a server and how many connections it is given.
type postgres struct {
	config *pgx.ConnConfig
	size   int
}

const (
	// connectTimeout is of one try to connect; the caller's context may be shorter.
	connectTimeout = 5 * time.Second
	// Connections are made anew at times, so that they find their way to a new primary and are shared out evenly again.
	maxLifetime = 30 * time.Minute
	maxIdle     = 5 * time.Minute
)

// connect returns connections of which the server ends what runs longer than timeout; 0: never. They are made when first
// used.
func (p postgres) connect(size int, timeout time.Duration, o ...stdlib.OptionOpenDB) *sql.DB {
	config := p.config.Copy()
	for name, value := range map[string]string{
		"application_name":                    "smsd",
		"statement_timeout":                   strconv.FormatInt(timeout.Milliseconds(), 10),
		"idle_in_transaction_session_timeout": strconv.FormatInt(timeout.Milliseconds(), 10),
	} {
		if _, given := config.RuntimeParams[name]; !given {
			config.RuntimeParams[name] = value
		}
	}
	db := stdlib.OpenDB(*config, o...)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	db.SetConnMaxLifetime(maxLifetime)
	db.SetConnMaxIdleTime(maxIdle)
	return db
}

func (p postgres) open(ctx context.Context) (*pools, error) {
	db := p.connect(p.size, callTimeout)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &pools{write: db, read: db}, nil
}

func (p postgres) look(context.Context) (*sql.DB, error) { return p.connect(1, callTimeout), nil }
