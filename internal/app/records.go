package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"smsd/internal/config"
	"smsd/internal/records"
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
	if r.db, err = newDatabase(cfg); err != nil {
		return nil, err
	}
	if r.Desk, err = newDesk(r.db, r.secrets.root, func(*records.DeskOptions) {}); err != nil {
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
