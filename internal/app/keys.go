package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/config"
)

// Keys are the API keys of an instance with these settings, for those who manage them. It need not run, and may.
type Keys struct {
	db     *database
	hasher *apikey.Hasher
	// Made is the database's file, if there was none before.
	Made string
}

// OpenKeys reaches the database and brings its schema up to date. Where there is neither secret nor database yet it makes
// none, and is an error. cfg has passed [CheckData]. Keys must be closed.
func OpenKeys(ctx context.Context, cfg *config.Config) (*Keys, error) {
	if err := keptHere(cfg); err != nil {
		return nil, err
	}
	return MakeKeys(ctx, cfg)
}

// MakeKeys is [OpenKeys] where a first key may be made before the first start: it makes the database, and in dev the secret, if
// there is none yet.
func MakeKeys(ctx context.Context, cfg *config.Config) (*Keys, error) {
	made := ""
	if cfg.Database.URL.IsZero() && keptHere(cfg) != nil {
		made = cfg.DatabaseFile()
	}
	if len(cfg.Secrets) == 0 { // it is kept there
		if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
			return nil, fmt.Errorf("data_dir: %w", err)
		}
	}
	secrets, err := loadSecrets(cfg)
	if err != nil {
		return nil, err
	}
	hasher, err := apikey.NewHasher(secrets.root)
	if err != nil {
		return nil, err
	}
	db, err := newDatabase(cfg)
	if err != nil {
		return nil, err
	}
	if err := db.open(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Keys{db, hasher, made}, nil
}

// Close ends the connections.
func (k *Keys) Close() error { return k.db.Close() }

// Create makes a key. What the draft of one that replaces another leaves out is as with that one. The error is of
// [apikey.Create].
func (k *Keys) Create(ctx context.Context, d apikey.Draft) (apikey.Key, apikey.Record, error) {
	if d.Replaces != "" {
		var err error
		if d, err = k.succeed(ctx, d); err != nil {
			return apikey.Key{}, apikey.Record{}, err
		}
	}
	return apikey.Create(ctx, k.db.Keys(), k.hasher, d, time.Now())
}

// succeed fills in what d leaves out.
func (k *Keys) succeed(ctx context.Context, d apikey.Draft) (apikey.Draft, error) {
	all, err := k.List(ctx, d.App)
	if err != nil {
		return d, err
	}
	i := slices.IndexFunc(all, func(r apikey.Record) bool { return r.ID == d.Replaces })
	if i < 0 {
		return d, fmt.Errorf("%s: %w", d.Replaces, apikey.ErrNotFound)
	}
	old := all[i]
	d.App, d.Kind, d.Name = cmp.Or(d.App, old.App), cmp.Or(d.Kind, old.Kind), cmp.Or(d.Name, old.Name)
	if len(d.Origins) == 0 && d.Kind == apikey.Publishable {
		d.Origins = old.Origins
	}
	return d, nil
}

// List returns the keys of app, or of every app if it is "", newest first.
func (k *Keys) List(ctx context.Context, app string) ([]apikey.Record, error) {
	all, _, err := k.db.Keys().All(ctx, apikey.MaxKeys)
	if app == "" {
		return all, err
	}
	return slices.DeleteFunc(all, func(r apikey.Record) bool { return r.App != app }), err
}

// Revoke ends a key on every instance within a second, for good. The error of one that is not there is
// [apikey.ErrNotFound].
func (k *Keys) Revoke(ctx context.Context, id string) error {
	err := k.db.Keys().Revoke(ctx, id, time.Now())
	if errors.Is(err, apikey.ErrNotFound) {
		return fmt.Errorf("%s: %w", id, err)
	}
	return err
}
