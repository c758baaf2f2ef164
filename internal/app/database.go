package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/config"
	"smsd/internal/store/sqlstore"
)

// migrateTimeout is how long a migration may take, and the wait for one that another instance makes.
const migrateTimeout = 10 * time.Minute

// database is where records, API keys, the answers of idempotent requests and consumed tokens are. Its drivers are there at
// once, and unavailable until it was reached.
type database struct {
	*sqlstore.DB
	setting   string // that names where it is
	onFailure config.OnRecordsFailure
}

// newDatabase returns the one that the settings name. It touches nothing outside.
func newDatabase(cfg *config.Config) (*database, error) {
	db, err := sqlstore.New(sqlstore.Options{URL: cfg.Database.URL, File: cfg.DatabaseFile(), PoolSize: cfg.Database.PoolSize})
	if err != nil {
		return nil, err
	}
	setting := "database.url"
	if cfg.Database.URL.IsZero() {
		setting = "data_dir"
	}
	return &database{db, setting, cfg.OnRecordsFailure}, nil
}

// open reaches it and brings its schema up to date.
func (d *database) open(ctx context.Context) error {
	if err := d.DB.Open(ctx); err != nil {
		return d.named(err)
	}
	return nil
}

// named adds the setting to an error.
func (d *database) named(err error) error { return fmt.Errorf("%s: %w", d.setting, err) }

func (d *database) watched() *watched {
	away := "records are kept in a file until it is back"
	if d.onFailure == config.Refuse {
		away = "sends are answered 503 until it is back"
	}
	return &watched{
		name: "database", is: "the database is",
		notYet:   "the database does not answer, and the instance is not ready until it does: check database.url (SMSD_DATABASE_URL), that the server runs, and the way to it",
		away:     away,
		open:     d.open,
		passes:   func(err error) bool { return errors.Is(err, sqlstore.ErrUnavailable) },
		slow:     migrateTimeout,
		ping:     d.Ping,
		warnings: func() []string { return nil },
		up: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "smsd_database_up",
			Help: "1 if the database of records answered when it was last asked, else 0.",
		}),
	}
}
