package apikey

import (
	"context"
	"log/slog"
	"time"
)

// The last use of a key is written down at most once a minute: it tells which keys are idle, and nothing is decided by it.
const (
	writeEvery   = time.Minute
	writeTimeout = 2 * time.Second
)

// write writes the last uses down each minute, and once more when ctx ends.
func (d *Directory) write(ctx context.Context) {
	ticker := time.NewTicker(writeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			d.writeUses(context.WithoutCancel(ctx))
			return
		case <-ticker.C:
			d.writeUses(ctx)
		}
	}
}

// writeUses writes what the store does not know yet. What fails is written the next time.
func (d *Directory) writeUses(ctx context.Context) {
	used := d.current.Load().unwritten()
	if len(used) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := d.store.Touch(ctx, used); err != nil {
		d.metrics.failures.WithLabelValues("touch").Inc()
		d.logger.WarnContext(ctx, "the last uses of API keys could not be written down", slog.Any("error", err))
		return
	}
	d.current.Load().wrote(used)
}

// unwritten returns the uses that the store does not know, by the key's ID.
func (t *table) unwritten() map[string]time.Time {
	used := map[string]time.Time{}
	if t == nil {
		return used
	}
	for id, e := range t.byID {
		if at := e.marks.used.Load(); at > e.marks.written.Load() {
			used[id] = time.UnixMilli(at).UTC()
		}
	}
	return used
}

func (t *table) wrote(used map[string]time.Time) {
	for id, at := range used {
		if e := t.byID[id]; e != nil {
			raise(&e.marks.written, at.UnixMilli())
		}
	}
}
