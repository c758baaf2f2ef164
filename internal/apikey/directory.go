package apikey

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/keyring"
)

// MaxKeys is how many keys a [Directory] holds, those that have ended among them: some 6 MB. Above it the oldest are not known.
const MaxKeys = 10_000

// DirectoryOptions are what [NewDirectory] needs; Store and Hasher are required.
type DirectoryOptions struct {
	Store  Store
	Hasher *Hasher
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Logger; nil: nothing is logged.
	Logger *slog.Logger
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
}

// Directory knows every key. [Directory.Load] reads them, [Directory.Watch] keeps up with changes. Safe for concurrent use.
type Directory struct {
	store   Store
	hasher  *Hasher
	now     func() time.Time
	logger  *slog.Logger
	metrics *metrics
	current atomic.Pointer[table] // nil: not read yet
	lost    atomic.Bool           // the store did not answer when it was last asked
}

// NewDirectory returns one that has not been read yet.
func NewDirectory(o DirectoryOptions) (*Directory, error) {
	if o.Store == nil || o.Hasher == nil {
		return nil, errors.New("apikey: Store and Hasher are required")
	}
	d := &Directory{store: o.Store, hasher: o.Hasher, now: o.Now, logger: o.Logger}
	if d.now == nil {
		d.now = time.Now
	}
	if d.logger == nil {
		d.logger = slog.New(slog.DiscardHandler)
	}
	var err error
	d.metrics, err = newMetrics(o.Registerer)
	return d, err
}

// Identify says who sent the token, without I/O: a [*Refusal] if nobody did, ErrNotLoaded if nobody can tell. It notes
// that the key was used.
func (d *Directory) Identify(token string) (Caller, error) {
	if _, err := check(token); err != nil {
		return Caller{}, refusalOf(err)
	}
	t := d.current.Load()
	if t == nil {
		return Caller{}, ErrNotLoaded
	}
	var room [1]keyring.Digest // as many as there mostly are
	e := t.find(d.hasher.appendHashes(room[:0], token))
	if e == nil {
		return Caller{}, &Refusal{Reason: Unknown}
	}
	now := d.now()
	switch e.State(now) {
	case StateRevoked:
		return Caller{}, &Refusal{Revoked, e.ID, e.App}
	case StateExpired:
		return Caller{}, &Refusal{Expired, e.ID, e.App}
	}
	raise(&e.marks.used, now.UnixMilli())
	return e.caller, nil
}

// AllowsOrigin reports whether a live publishable key names origin.
func (d *Directory) AllowsOrigin(origin string) bool {
	t := d.current.Load()
	if t == nil {
		return false
	}
	until, known := t.origins[origin]
	return known && (until.IsZero() || d.now().Before(until))
}

// tellEvery is how often the log is told of one key's misuse.
const tellEvery = time.Minute

// ShouldTell reports whether the log is to be told of a misuse of the key: not if it was within the last minute.
// A key that is not known is told of never: what is not known is a stranger's to choose.
func (d *Directory) ShouldTell(keyID string) bool {
	t := d.current.Load()
	if t == nil || t.byID[keyID] == nil {
		return false
	}
	told, now := &t.byID[keyID].marks.told, d.now().UnixMilli()
	last := told.Load()
	return now-last >= tellEvery.Milliseconds() && told.CompareAndSwap(last, now)
}

// Health is how a directory is.
type Health struct {
	// Loaded says that the keys were read once.
	Loaded bool
	// Lost says that the store did not answer when it was last asked: the keys are those of before.
	Lost bool
	// Crowded says that there are more than MaxKeys, and the oldest are not known.
	Crowded bool
}

// Health returns how it is. It asks nobody.
func (d *Directory) Health() Health {
	t := d.current.Load()
	return Health{Loaded: t != nil, Lost: d.lost.Load(), Crowded: t != nil && t.crowded}
}
