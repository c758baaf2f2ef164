package records

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrUnreadable is a database that is away, or a row that may have yet to reach it.
var ErrUnreadable = errors.New("records can't be read")

// rowTimeout is how long a look at one row may take, which is found by its key.
const rowTimeout = 2 * time.Second

// PageTimeout is how long a page may take: of a filter that few rows fit, all may have to be read.
const PageTimeout = 20 * time.Second

// Desk is where people and programs read: the one way from the rows to an answer, a file or a receipt. It turns a
// subject's text into the hashes that it has in the rows, and shows numbers masked and every other subject as a short
// hash; [Desk.Export] alone, for the owner of one number, tells all. Safe for concurrent use.
type Desk struct {
	reader Reader
	keeper Keeper
	keys   *Keys
	now    func() time.Time
	behind func(ctx context.Context, smsID string) bool
}

// DeskOptions are what [NewDesk] needs.
type DeskOptions struct {
	Reader Reader
	Keeper Keeper
	Keys   *Keys
	// Now is the clock by which a verification is live or over: that of the stores of codes. nil: time.Now.
	Now func() time.Time
	// Behind reports whether the row of an accepted send may be on its way still, as while the database was away. It is
	// asked about rows that are not there. nil: none ever is.
	Behind func(ctx context.Context, smsID string) bool
}

// NewDesk returns a Desk.
func NewDesk(o DeskOptions) (*Desk, error) {
	if o.Reader == nil || o.Keeper == nil || o.Keys == nil {
		return nil, errors.New("records: a desk needs Reader, Keeper and Keys")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Behind == nil {
		o.Behind = func(context.Context, string) bool { return false }
	}
	return &Desk{reader: o.Reader, keeper: o.Keeper, keys: o.Keys, now: o.Now, behind: o.Behind}, nil
}

// Verification returns one row of an app as it is listed. What is another app's, or none, is [ErrNotFound]; where that
// can't be told now it is [ErrUnreadable].
func (d *Desk) Verification(ctx context.Context, app, smsID string) (ListedVerification, error) {
	if !isSMSID(smsID) {
		return ListedVerification{}, ErrNotFound
	}
	ctx, cancel := context.WithTimeout(ctx, rowTimeout)
	defer cancel()
	row, err := d.reader.Verification(ctx, smsID)
	switch {
	case errors.Is(err, ErrNotFound) && d.behind(ctx, smsID):
		return ListedVerification{}, fmt.Errorf("%w: the row may have yet to be written", ErrUnreadable)
	case errors.Is(err, ErrNotFound):
		return ListedVerification{}, ErrNotFound
	case err != nil:
		return ListedVerification{}, away(err)
	case row.App != app:
		return ListedVerification{}, ErrNotFound
	}
	return d.listVerification(row, d.now()), nil
}

// away makes ErrUnreadable of what a driver returns: it knows nothing that a caller could do about it.
func away(err error) error { return fmt.Errorf("%w: %w", ErrUnreadable, err) }

// isSMSID says whether s may be an sms_id as it was made, in lower case. Anything else is in no row, and no text for a
// database.
func isSMSID(s string) bool {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx" // RFC 9562, section 4
	if len(s) != len(form) {
		return false
	}
	for i := range len(s) {
		isHex := '0' <= s[i] && s[i] <= '9' || 'a' <= s[i] && s[i] <= 'f'
		if form[i] == '-' && s[i] != '-' || form[i] == 'x' && !isHex {
			return false
		}
	}
	return true
}

// masked opens a sealed number and returns it masked; "" where it was erased, or the secret is not in use any more.
func (d *Desk) masked(smsID string, sealed []byte) string {
	if len(sealed) == 0 {
		return ""
	}
	n, err := d.keys.Open(smsID, sealed)
	if err != nil {
		return ""
	}
	return n.String()
}
