package app

import (
	"context"

	"smsd/internal/apikey"
	"smsd/internal/httpapi"
	"smsd/internal/records"
)

// loadKeys reads the API keys for the first time, if the database is there. What fails is tried again by their Watch.
func (a *App) loadKeys(ctx context.Context) {
	if !a.health.database.reached.Load() {
		return
	}
	if err := a.keys.Load(ctx); err != nil {
		a.logger.Warn("the API keys could not be read yet", "error", err)
	}
}

// state is what /readyz answers: an instance that does not know the keys yet can't tell who calls.
func (a *App) state(ctx context.Context) httpapi.Health {
	s, keys := a.health.state(ctx), a.keys.Health()
	s.Ready = s.Ready && keys.Loaded
	s.Degraded = s.Degraded || keys.Lost || keys.Crowded
	s.Checks["keys"] = keysText(keys)
	written := a.recording.book.Status()
	s.Degraded = s.Degraded || !written.Away.IsZero()
	s.Checks["records"] = recordsText(written)
	return s
}

// recordsText says in one line how the writing of records is. The database may answer and take no row all the same.
func recordsText(s records.Status) string {
	switch {
	case s.Ready != nil:
		return "can't be written; sends are answered 503"
	case !s.Away.IsZero():
		return "not all in the database; the rest is kept in a file until it is"
	}
	return "ok"
}

// keysText says in one line how the keys are.
func keysText(h apikey.Health) string {
	switch {
	case !h.Loaded:
		return "not read yet; requests with a key are answered 503"
	case h.Lost:
		return "can't be read; those that were known go on working, and what is revoked or made meanwhile is not seen"
	case h.Crowded:
		return "there are more than an instance holds; the oldest are refused"
	}
	return "ok"
}
