package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/store/redisstore"
	"smsd/internal/throttle"
)

// stores is where counters and codes are.
type stores struct {
	counters throttle.Store
	codes    sms.Codes
	// open reaches them for the first time. An error that unwraps to throttle.ErrUnavailable may pass,
	// and open may be called again; another one will not.
	open func(context.Context) error
	// ping asks whether they are still there.
	ping func(context.Context) error
	// warnings are what an operator should change about them; more may come.
	warnings func() []string
	// close keeps what must survive the process.
	close func() error
	// now is what the deny cache goes by: the stores' clock where it can be moved, else this process's.
	now func() time.Time
	// advance moves their clock; nil: it can't be moved.
	advance func(time.Duration)
}

// newStores returns the kind of stores that the settings name. It touches nothing outside.
func newStores(cfg *config.Config, indexCheck []byte, dir *dataDir, r prometheus.Registerer) *stores {
	if cfg.Embedded() {
		return memoryStores(dir)
	}
	return redisStores(cfg, indexCheck, r)
}

// memoryStores are in this process, and in data_dir between two of them.
func memoryStores(dir *dataDir) *stores {
	clock := memstore.NewClock(nil)
	counters := memstore.NewCounters(memstore.Options{Clock: clock})
	codes := memstore.NewCodes(memstore.Options{Clock: clock})
	return &stores{
		counters: counters.BesideCodes(codes),
		codes:    codes,
		open: func(context.Context) error {
			if err := counters.Load(dir.counters()); err != nil {
				return damaged(err) // before the codes' file, which is gone once it was read
			}
			return damaged(codes.Load(dir.codes()))
		},
		ping:     func(context.Context) error { return nil },
		warnings: func() []string { return nil },
		close:    func() error { return errors.Join(counters.Save(dir.counters()), codes.Save(dir.codes())) },
		now:      clock.Now,
		advance:  clock.Advance,
	}
}

// damaged adds what to do about a file that can't be read.
func damaged(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("data_dir: %w (move the file away to begin without it)", err)
}

// redisStores are in one Redis, or the counters in another.
func redisStores(cfg *config.Config, indexCheck []byte, r prometheus.Registerer) *stores {
	server := func(name string, url secret.Text) redisstore.Options {
		return redisstore.Options{
			URL:        url,
			Prefix:     cfg.Redis.Prefix,
			PoolSize:   cfg.Redis.PoolSize,
			Budget:     cfg.Redis.Budget,
			IndexCheck: indexCheck,
			Registerer: prometheus.WrapRegistererWith(prometheus.Labels{"server": name}, r),
		}
	}
	l := &late{codes: server("redis.url", cfg.Redis.URL)}
	if url := cfg.Redis.CountersURL; !url.IsZero() && !url.Same(cfg.Redis.URL) {
		counters := server("redis.counters_url", url)
		l.counters = &counters
	}
	return &stores{
		counters: lateCounters{l},
		codes:    lateCodes{l},
		open:     l.open,
		ping:     l.ping,
		warnings: l.warnings,
		close:    l.close,
		now:      time.Now,
	}
}
