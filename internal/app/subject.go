package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/config"
	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/throttle"
)

// Records are what an instance with these settings has written down, for those who read and erase it. It need not run,
// and may.
type Records struct {
	*records.Desk
	cfg     *config.Config
	secrets secrets
	db      *database
}

// OpenRecords reaches the database and brings its schema up to date. Where there is neither secret nor database yet it makes
// none, and is an error. cfg has passed [CheckData]. Records must be closed.
func OpenRecords(ctx context.Context, cfg *config.Config) (*Records, error) {
	if err := keptHere(cfg); err != nil {
		return nil, err
	}
	r := &Records{cfg: cfg}
	var err error
	if r.secrets, err = loadSecrets(cfg); err != nil {
		return nil, err
	}
	root, err := keyring.New(r.secrets.rotation)
	if err != nil {
		return nil, err
	}
	if r.db, err = newDatabase(cfg); err != nil {
		return nil, err
	}
	if r.Desk, err = newDesk(r.db, root, func(*records.DeskOptions) {}); err != nil {
		return nil, err
	}
	if err := r.db.open(ctx); err != nil {
		return nil, errors.Join(err, r.db.Close())
	}
	return r, nil
}

// Close ends the connections.
func (r *Records) Close() error { return r.db.Close() }

// keptHere says whether data_dir has what it should: with another secret nothing would be found, and nobody told why.
func keptHere(cfg *config.Config) error {
	var files []string
	if len(cfg.Secrets) == 0 {
		files = append(files, filepath.Join(cfg.DataDir, "secret"))
	}
	if cfg.Database.URL.IsZero() {
		files = append(files, cfg.DatabaseFile())
	}
	for _, file := range files {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("data_dir: there is no %s: give the settings (--config, SMSD_DATA_DIR) of the instance that you mean", file)
		}
	}
	return nil
}

// Receipt says what an erasure has done, and what it has left.
type Receipt struct {
	Action        string    `json:"action"` // "erase"
	Phone         string    `json:"phone"`  // masked
	At            time.Time `json:"at"`
	Verifications int64     `json:"verifications"` // rows that were about it
	Decisions     int64     `json:"decisions"`
	// Codes are verifications that were over or live and are forgotten now; Counters says what became of the limits.
	Codes    int       `json:"codes"`
	Counters string    `json:"counters"` // "emptied" or "left"
	Remains  []Remains `json:"remains"`
}

// Remains is something that an erasure does not reach.
type Remains struct {
	What  string `json:"what"`
	Until string `json:"until"`
}

// longOver is when a code is surely forgotten after its end: ten minutes, and what a gateway may have taken.
const longOver = 15 * time.Minute

// Erase forgets a number: its codes and counters, where they are in Redis, and then who its rows are about, which is
// how they are found. After an error it may have been done in part, and is done again.
func (r *Records) Erase(ctx context.Context, n phone.Number) (*Receipt, error) {
	receipt := &Receipt{Action: "erase", Phone: n.String(), At: time.Now().UTC().Truncate(time.Millisecond), Counters: "left", Remains: r.remains()}
	apps, live, err := r.Apps(ctx, n, time.Now().Add(-longOver))
	if err != nil {
		return nil, err
	}
	if !r.cfg.Embedded() {
		if err := r.forget(ctx, n, apps, live); err != nil {
			return nil, err
		}
		receipt.Codes, receipt.Counters = len(live), "emptied"
	}
	erased, err := r.Desk.Erase(ctx, n)
	if err != nil {
		return nil, err
	}
	receipt.Verifications, receipt.Decisions = erased.Verifications, erased.Decisions
	return receipt, nil
}

// forget empties what is in Redis.
func (r *Records) forget(ctx context.Context, n phone.Number, apps []string, live []records.Live) (err error) {
	stores := redisStores(r.cfg, r.secrets.indexCheck(), prometheus.NewRegistry())
	if err := stores.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stores.close()) }()
	for _, v := range live {
		if err := stores.codes.Delete(ctx, v.SMSID); err != nil {
			return fmt.Errorf("redis.url: forget a code: %w", err)
		}
	}
	limiter, err := throttle.New(throttle.Options{Store: stores.counters, IndexSecret: r.secrets.index})
	if err != nil {
		return err
	}
	for _, app := range apps {
		subjects := []throttle.Subject{{Kind: throttle.Phone, ID: n.E164()}, {Kind: throttle.App, ID: app}}
		if err := limiter.Reset(ctx, subjects...); err != nil {
			return fmt.Errorf("redis.url: empty the counters: %w", err)
		}
	}
	return nil
}

// remains are what an erasure does not reach, in the order in which it ends.
func (r *Records) remains() []Remains {
	var all []Remains
	if r.cfg.Embedded() {
		all = append(all,
			Remains{"codes, sealed, in the memory of the instance and its data_dir", "10 minutes after each has expired"},
			Remains{"counters, under keyed hashes, in the same place", "the end of each limit's window, 30 days at the most"})
	}
	return append(all,
		Remains{"answers that are kept for an Idempotency-Key, sealed", "24 hours after the request"},
		Remains{"rows that an instance has yet to write: of this moment, or in its spool while the database was away", "erase again once they are written"},
		Remains{"the rows without the number, the hashes and the prefix, for counts and bills", fmt.Sprintf("%s (verifications) and %s (decisions) after they were written", inDays(r.cfg.Retention.Verifications), inDays(r.cfg.Retention.Decisions))},
		Remains{"old pages of the database, backups of it, log lines with the number masked, and what the gateway and the apps keep", "whenever those remove them"})
}

// inDays writes whole days as such.
func inDays(d time.Duration) string {
	const day = 24 * time.Hour
	if d%day == 0 {
		return fmt.Sprintf("%d days", d/day)
	}
	return d.String()
}
