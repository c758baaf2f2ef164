package sqlstore

import (
	"time"

	"smsd/internal/secret"
)

// Options are what [New] needs: a URL, or else a file.
type Options struct {
	// URL is postgres:// or postgresql://, with user and password. Empty: SQLite in File.
	URL secret.Text
	// File is the path of SQLite's file. It and its folder are made when first needed.
	File string
	// PoolSize is connections to PostgreSQL, at most; 0 is 10.
	PoolSize int
	// Now is the clock for what no caller gives an instant for; nil is the system's.
	Now func() time.Time
}

const (
	defaultPool = 10
	// callTimeout bounds every call, whatever its context says.
	callTimeout = 30 * time.Second
)
