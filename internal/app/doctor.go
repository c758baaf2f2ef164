package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/store/redisstore"
)

// Checked is what one check of [Examine] came to.
type Checked struct {
	Where string // the setting that names what was looked at, as "redis.url"
	redisstore.Checked
}

// Examine looks at what an instance with these settings would depend on, and says everything at once: each
// Redis, the database, and data_dir where it is used. It starts nothing, and takes 10 s for each Redis at most. In a
// database it changes nothing (see Examine in package sqlstore). In a
// Redis it changes nothing (see [redisstore.Examine]); in data_dir it makes and removes a file, and holds the
// lock for an instant. cfg has passed [Check].
func Examine(ctx context.Context, cfg *config.Config) []Checked {
	var all []Checked
	if usesDataDir(cfg) {
		all = examineDataDir(cfg)
	}
	all = append(all, examineDatabase(ctx, cfg)...)
	if cfg.Embedded() {
		return all
	}
	check, err := existingIndexCheck(cfg)
	if err != nil {
		return append(all, skippedRedis()) // data_dir's checks have said why
	}
	for _, s := range redisServers(cfg) {
		all = append(all, s.examine(ctx, cfg, check)...)
	}
	return all
}

// usesDataDir says whether an instance with these settings keeps anything there.
func usesDataDir(cfg *config.Config) bool {
	return cfg.Embedded() || len(cfg.Secrets) == 0 || cfg.Database.URL.IsZero()
}

func skippedRedis() Checked {
	return Checked{"redis.url", redisstore.Checked{Check: "all", State: redisstore.Skipped, Seen: "the secret must be readable first"}}
}

// redisServer is one of the servers that the settings name.
type redisServer struct {
	setting  string
	url      secret.Text
	counters bool // it holds counters, too or alone
}

func redisServers(cfg *config.Config) []redisServer {
	if url := cfg.Redis.CountersURL; !url.IsZero() && !url.Same(cfg.Redis.URL) {
		return []redisServer{{"redis.url", cfg.Redis.URL, false}, {"redis.counters_url", url, true}}
	}
	return []redisServer{{"redis.url", cfg.Redis.URL, true}}
}

func (s redisServer) examine(ctx context.Context, cfg *config.Config, indexCheck []byte) []Checked {
	made, err := redisstore.Examine(ctx, redisstore.Options{URL: s.url, Prefix: cfg.Redis.Prefix, IndexCheck: indexCheck}, s.counters)
	if err != nil {
		made = []redisstore.Checked{{Check: "reach", State: redisstore.Finding, Seen: err.Error(), Do: "change it"}}
	}
	var all []Checked
	for _, c := range made {
		all = append(all, Checked{s.setting, c})
	}
	return all
}

// existingIndexCheck is what a Redis would hold of the index secret, or nil where the start has yet to
// make the secret.
func existingIndexCheck(cfg *config.Config) ([]byte, error) {
	if !cfg.IndexSecret.IsZero() {
		return secrets{index: []byte(cfg.IndexSecret.Reveal())}.indexCheck(), nil
	}
	if len(cfg.Secrets) == 0 {
		if _, err := os.Stat(filepath.Join(cfg.DataDir, "secret")); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	s, err := loadSecrets(cfg)
	if err != nil {
		return nil, err
	}
	return s.indexCheck(), nil
}
