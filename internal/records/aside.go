package records

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"
)

// aside keeps what the database refuses for what is in it, so that it holds up nothing else. Its folder has files as a spool's:
// the next run takes them into its own, and tries them again. Bounded, since one that refuses everything is no matter of single
// rows: what has no room waits, as while the database is away. Safe for concurrent use.
type aside struct {
	rows   *spool
	logger *slog.Logger
	now    func() time.Time

	keeping sync.Mutex // held while the files change

	mu      sync.Mutex
	ids     map[string]struct{} // of sends whose rows are there; bounded as the files are
	doubted doubts
	told    time.Time // when the log was last told
	untold  int       // rows since then
	why     error     // of the last
}

const (
	asideFolder = "aside"
	spoolFolder = "spool"
	// asideShare is what of a spool's bytes may be set aside: of the usual 256 MiB some 50,000 rows.
	asideShare = 8
)

func openAside(o Options, doubted doubts) (*aside, error) {
	rows, err := openSpool(filepath.Join(o.Dir, asideFolder), o.SpoolBytes/asideShare)
	if err != nil {
		return nil, fmt.Errorf("set aside: %w", err)
	}
	return &aside{rows: rows, logger: o.Logger, now: o.Now, ids: map[string]struct{}{}, doubted: doubted}, nil
}

// keep has rows of a batch on disk when it returns nil. It may be called again for the same ones.
func (a *aside) keep(of, refused Batch, why error) error {
	a.keeping.Lock()
	defer a.keeping.Unlock()
	number := nextAside(of)
	refused.Writer, refused.Seq = number.Writer, number.Seq
	a.rows.dropRemoved()
	err := a.rows.append(refused)
	if errors.Is(err, errSpoolFull) {
		err = errAsideFull
	}
	if err != nil {
		return fmt.Errorf("rows that the database refuses (%v) can't be set aside in %s: %w", why, a.rows.dir, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	addIDs(a.ids, refused)
	a.doubted.add(number)
	return nil
}

// errAsideFull is a row for which there is no room. Once there is, or the database takes the row, all goes on by itself.
var errAsideFull = fmt.Errorf("the folder has a share of 1/%d of records.spool_bytes, and is full: repair what refuses the rows, or move files out of it", asideShare)

// addIDs adds the ids of a batch's sends.
func addIDs(ids map[string]struct{}, b Batch) {
	for _, v := range b.Verifications {
		ids[v.SMSID] = struct{}{}
	}
}

// used is how many bytes the files have that are there.
func (a *aside) used() int64 {
	a.notice()
	return a.rows.used()
}

// has reports whether the row of a send is there.
func (a *aside) has(smsID string) bool {
	if !a.remembers(smsID) {
		return false
	}
	a.notice()
	return a.remembers(smsID)
}

func (a *aside) remembers(smsID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, there := a.ids[smsID]
	return there
}

// tell tells the log of rows that were set aside, once a minute at most.
func (a *aside) tell(rows int, why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.untold, a.why = a.untold+rows, why
	if now := a.now(); a.told.IsZero() || now.Sub(a.told) >= linesApart {
		a.told = now
		a.say()
	}
}

func (a *aside) say() {
	a.logger.Error("records: the database refuses rows for what is in them; they are set aside, and all others go on: "+
		"repair what the error names and start smsd again, which tries them again, or remove the files",
		slog.Int("rows", a.untold), slog.String("folder", a.rows.dir), slog.Any("error", a.why))
	a.untold = 0
}

// close ends the writing, and tells what was not told yet.
func (a *aside) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.untold > 0 {
		a.say()
	}
	a.rows.close()
}
