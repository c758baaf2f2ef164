package app

import (
	"context"
	"errors"

	"smsd/internal/keyring"
	"smsd/internal/records"
	"smsd/internal/sms"
)

// openDesk returns where records are read. The database is not asked yet.
func (a *App) openDesk(root *keyring.Root) (*records.Desk, error) {
	return newDesk(a.database, root, func(o *records.DeskOptions) {
		o.Now, o.Behind = a.stores.now, a.behind
	})
}

func newDesk(db *database, root *keyring.Root, change func(*records.DeskOptions)) (*records.Desk, error) {
	keys, err := records.NewKeys(root)
	if err != nil {
		return nil, err
	}
	o := records.DeskOptions{Reader: db.Records(), Keeper: db.Records(), Keys: keys}
	change(&o)
	return records.NewDesk(o)
}

// behind says whether the row of a verification that the database lacks may be on a disk: on this instance's, or, as long as its
// code is known, on another one's.
func (a *App) behind(ctx context.Context, smsID string) bool {
	if a.recording.book.Behind(smsID) {
		return true
	}
	_, err := a.stores.codes.Get(ctx, smsID)
	return !errors.Is(err, sms.ErrNotFound)
}
