package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"smsd/internal/config"
)

// errLocked says that another process holds the lock.
var errLocked = errors.New("locked")

// dataDir is the folder of what survives the process.
type dataDir struct {
	path string
	lock *os.File // nil: not locked
}

// openDataDir makes the folder where it is used: for the secret made in dev, and, locked, for the counters and codes of
// an instance without Redis and for the spool of records. An instance that needs none of them touches no disk.
func openDataDir(cfg *config.Config) (*dataDir, error) {
	d := &dataDir{path: cfg.DataDir}
	own := cfg.Embedded() || cfg.OnRecordsFailure == config.Spool
	if !own && len(cfg.Secrets) > 0 {
		return d, nil
	}
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		return nil, fmt.Errorf("data_dir: %w", err)
	}
	if !own {
		return d, nil
	}
	return d, d.take()
}

// take locks the folder: two processes would each overwrite what the other one keeps.
func (d *dataDir) take() error {
	f, err := os.OpenFile(filepath.Join(d.path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("data_dir: %w", err)
	}
	if err := lockFile(f); err != nil {
		f.Close()
		if errors.Is(err, errLocked) {
			return fmt.Errorf("data_dir: %s is in use by another smsd: stop that one, or give this one a folder of its own (SMSD_DATA_DIR)", d.path)
		}
		return fmt.Errorf("data_dir: lock %s: %w", f.Name(), err)
	}
	d.lock = f
	return nil
}

// close gives the lock back; the file stays, since removing it could take it from under the next one.
func (d *dataDir) close() error {
	if d.lock == nil {
		return nil
	}
	return errors.Join(unlockFile(d.lock), d.lock.Close())
}

func (d *dataDir) counters() string { return filepath.Join(d.path, "counters") }
func (d *dataDir) codes() string    { return filepath.Join(d.path, "codes") }
