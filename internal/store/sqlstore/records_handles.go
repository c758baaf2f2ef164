package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"smsd/internal/records"
)

// named is a handle, and when it came.
type named struct {
	handle records.Handle
	at     time.Time
}

func handleTable() table[named] {
	return newTable(slices.Concat(
		[]field[named]{
			text("gateway", func(r *named) *string { return &r.handle.Gateway }),
			text("provider_id", func(r *named) *string { return &r.handle.ProviderID }),
			text("sms_id", func(r *named) *string { return &r.handle.SMSID }),
			instant("at", func(r *named) *time.Time { return &r.at }),
		},
		receiptFields(func(r *named) *records.Fate { return &r.handle.Fate }),
	)...)
}

// upsertHandles writes handles, or adds to those that are there, and returns all of them as they are then. The first owner stays.
func upsertHandles(names string) func(source string) string {
	return around("INSERT INTO handles AS h ("+names+") ", `
ON CONFLICT (gateway, provider_id) DO UPDATE SET sms_id = COALESCE(NULLIF(h.sms_id, ''), excluded.sms_id),`+mergeReceipts("h", "excluded")+`
RETURNING `+names)
}

// claimed writes handles, and returns what they tell of verifications whose they are. It is a part of the transaction in which
// those changes are written, and comes first in it: two that write one handle wait for each other here, and the second sees what
// the first one told. In whatever order an owner and a receipt come, the one that comes second tells the verification.
func (r Records) claimed(ctx context.Context, in runner, all []records.Handle) ([]records.Change, error) {
	var changes []records.Change
	now := r.db.now()
	var rows []named
	for _, h := range inOrder(all, handleName, thenHandle) {
		rows = append(rows, named{h, now})
	}
	for _, s := range r.db.writings.handles.statements(rows) {
		written, err := r.db.handles.read(in.query(ctx, s.text, s.values...))
		if err != nil {
			return nil, err
		}
		for _, w := range written {
			if w.handle.SMSID != "" && w.handle.Fate != (records.Fate{}) {
				changes = append(changes, records.Change{SMSID: w.handle.SMSID, Fate: w.handle.Fate})
			}
		}
	}
	return changes, nil
}

// handleName tells handles apart.
func handleName(h *records.Handle) string { return h.Gateway + " " + h.ProviderID } // no gateway has a blank in its name

// thenHandle is the handle that tells what first and next do. The first owner stays.
func thenHandle(first, next records.Handle) records.Handle {
	first.SMSID = cmp.Or(first.SMSID, next.SMSID)
	first.Fate = thenFate(first.Fate, next.Fate)
	return first
}

// Owners implements [records.Owners].
func (r Records) Owners(ctx context.Context, gateway string, providerIDs []string) (map[string]records.Owner, error) {
	owners := map[string]records.Owner{}
	for some := range slices.Chunk(providerIDs, 500) { // far below what either database takes
		var c conditions
		c.is("gateway", gateway)
		c.add("provider_id IN (?"+strings.Repeat(", ?", len(some)-1)+")", texts(some)...)
		c.add("sms_id <> ''")
		err := r.db.read(ctx, "read owners", func(ctx context.Context, in runner) error {
			found, err := r.db.handles.read(in.query(ctx, "SELECT "+r.db.handles.names+" FROM handles"+c.where(), c.values...))
			for _, f := range found {
				owners[f.handle.ProviderID] = records.Owner{SMSID: f.handle.SMSID, Since: f.at}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return owners, nil
}

func texts(all []string) []any {
	values := make([]any, len(all))
	for i, s := range all {
		values[i] = storable(s)
	}
	return values
}
