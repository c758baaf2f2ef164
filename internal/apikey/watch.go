package apikey

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// How the store is watched. What is revoked must be refused within a second: a look each 400 ms leaves as much again for
// the look and for reading the keys.
const (
	lookEvery   = 400 * time.Millisecond
	lookTimeout = time.Second
	loadTimeout = 5 * time.Second
)

// Load reads the keys, within 5 s. What was read before stays if it fails.
func (d *Directory) Load(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	records, version, err := d.store.All(ctx, MaxKeys+1)
	if err != nil {
		return fmt.Errorf("apikey: read the keys: %w", err)
	}
	was := d.current.Load()
	t := newTable(records, version, was, d.now())
	d.current.Store(t)
	d.metrics.hold(t, d.now())
	if t.crowded && (was == nil || !was.crowded) {
		d.logger.Error("there are more API keys than an instance holds, and the oldest are refused", "most", MaxKeys)
	}
	return nil
}

// Watch looks for changes until ctx ends, and writes the last uses down, also at its end. It returns nil.
func (d *Directory) Watch(ctx context.Context) error {
	var writing sync.WaitGroup
	writing.Go(func() { d.write(ctx) })
	defer writing.Wait()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			d.keepUp(ctx)
		}
	}
}

// keepUp looks once, and tells when the store is lost and when it is back.
func (d *Directory) keepUp(ctx context.Context) {
	err := d.look(ctx)
	if ctx.Err() != nil {
		return
	}
	d.metrics.look(err)
	was := d.lost.Swap(err != nil)
	switch {
	case err != nil && !was:
		d.logger.Error("the API keys can't be read; those that were known go on working, and what is revoked or made meanwhile is not seen", slog.Any("error", err))
	case err == nil && was:
		d.logger.Info("the API keys can be read again")
	}
}

// look reads the keys if they have changed. A version is compared for being another one: a database that was
// restored may have an older one.
func (d *Directory) look(ctx context.Context) error {
	if t := d.current.Load(); t != nil {
		version, err := d.version(ctx)
		if err != nil || version == t.version {
			return err
		}
	}
	return d.Load(ctx)
}

func (d *Directory) version(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	version, err := d.store.Version(ctx)
	if err != nil {
		return 0, fmt.Errorf("apikey: look for changes: %w", err)
	}
	return version, nil
}
