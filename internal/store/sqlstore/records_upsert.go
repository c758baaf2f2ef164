package sqlstore

import (
	"slices"
	"strings"
	"time"

	"smsd/internal/records"
)

// writings are the statements that write records.
//
// A change whose verification is not there makes a row of the sms_id by itself, with early_at, and the verification fills
// it in. So whichever comes second finds the other one by the primary key, and waits there for a writer that has not
// committed: nothing falls between two that do not see each other. Each statement goes in the order of the key, so that two
// writers hardly ever wait for each other; where two do across statements, PostgreSQL ends one, which is tried again.
type writings struct {
	verifications writing[records.Verification]
	whole         writing[records.Verification] // with a change in them; see [fold]
	changes       writing[told]
	handles       writing[named]
	decisions     writing[records.Decision]
}

func newWritings(d dialect) writings {
	verifications, changes, handles, decisions := verificationTable(), toldTable(), handleTable(), decisionTable()
	return writings{
		verifications: newWriting(d, verifications, fillIn(verifications.columns, changes.columns)),
		whole:         newWriting(d, verifications, fillOrAdd(verifications.columns, changes.columns)),
		changes:       newWriting(d, changes, addOrWait(changes.names)),
		handles:       newWriting(d, handles, upsertHandles(handles.names)),
		decisions:     newWriting(d, decisions, around("INSERT INTO decisions ("+decisions.names+") ", "")),
	}
}

// fillIn leaves a row alone that is there, and completes an early one: what that has was told after the verification,
// whenever it came.
func fillIn(columns, told []column) func(source string) string {
	var all, own []string
	for _, c := range columns {
		all = append(all, c.name)
		if !slices.Contains(told, c) {
			own = append(own, c.name+" = excluded."+c.name)
		}
	}
	return around("INSERT INTO verifications AS v ("+strings.Join(all, ", ")+") ", `
ON CONFLICT (sms_id) DO UPDATE SET early_at = NULL, `+strings.Join(own, ", ")+", "+merge("excluded", "v")+`
WHERE v.early_at IS NOT NULL`)
}

// addOrWait adds to a row that is there, early or not, and makes an early one where there is none. Never is 0 there while
// nobody knows when the code ends, since the column takes no NULL.
func addOrWait(names string) func(source string) string {
	return around("WITH told ("+names+") AS (", `)
INSERT INTO verifications AS v (`+names+`, created_at, app, scene, request_id, country, prefix, policy_version)
SELECT `+strings.Replace(names, "expires_at", "COALESCE(expires_at, 0)", 1)+`, early_at, '', '', '', '', '', '' FROM told WHERE true
ON CONFLICT (sms_id) DO UPDATE SET `+merge("v", "excluded"))
}

// around returns what puts the source between two texts.
func around(before, after string) func(source string) string {
	return func(source string) string { return before + source + after }
}

// merge sets what is known once one row was told first and the other one next, as [records.Change] says. It does to rows what
// [then] does to changes.
func merge(first, next string) string {
	return between(first, next, `
	expires_at   = COALESCE(NULLIF(next.expires_at, 0), first.expires_at),
	gateway      = COALESCE(NULLIF(next.gateway, ''), first.gateway),
	segments     = COALESCE(NULLIF(next.segments, 0), first.segments),
	cost_micros  = CASE WHEN first.currency = next.currency OR first.currency = '' OR next.currency = '' THEN first.cost_micros + next.cost_micros ELSE 0 END,
	currency     = CASE WHEN first.currency = next.currency OR next.currency = '' THEN first.currency WHEN first.currency = '' THEN next.currency ELSE '`+records.MixedCurrency+`' END,
	verified_at  = CASE WHEN next.verified_at < first.verified_at THEN next.verified_at ELSE COALESCE(first.verified_at, next.verified_at) END,
	resends      = first.resends + next.resends,
	resent_at    = CASE WHEN first.resent_at > next.resent_at THEN first.resent_at ELSE COALESCE(next.resent_at, first.resent_at) END,
	expired_at   = CASE WHEN next.expired_at < first.expired_at THEN next.expired_at ELSE COALESCE(first.expired_at, next.expired_at) END,`) + mergeReceipts(first, next)
}

// between names the two rows in a text about first and next.
func between(first, next, text string) string {
	return strings.NewReplacer("first.", first+".", "next.", next+".").Replace(text)
}

// mergeReceipts is the part of merge that receipts tell.
func mergeReceipts(first, next string) string {
	return between(first, next, `
	delivery     = CASE WHEN first.delivery = '`+records.DeliveryAccepted+`' THEN first.delivery ELSE COALESCE(NULLIF(next.delivery, ''), first.delivery) END,
	billed_segments    = CASE WHEN next.billed_segments > first.billed_segments THEN next.billed_segments ELSE first.billed_segments END,
	billed_cost_micros = CASE WHEN next.billed_cost_micros > first.billed_cost_micros THEN next.billed_cost_micros ELSE first.billed_cost_micros END,
	billed_currency    = CASE WHEN next.billed_cost_micros > first.billed_cost_micros THEN next.billed_currency ELSE first.billed_currency END,
	delivered_at = CASE WHEN next.delivered_at < first.delivered_at THEN next.delivered_at ELSE COALESCE(first.delivered_at, next.delivered_at) END,
	failed_at    = CASE WHEN next.failed_at < first.failed_at THEN next.failed_at ELSE COALESCE(first.failed_at, next.failed_at) END,
	failure      = CASE WHEN `+failsFirst+` THEN next.failure ELSE first.failure END,
	failure_code = CASE WHEN `+failsFirst+` THEN next.failure_code ELSE first.failure_code END`)
}

// failsFirst says that next has the failure that counts: see [firstFailed].
const failsFirst = `(next.failed_at IS NOT NULL AND (first.failed_at IS NULL OR next.failed_at < first.failed_at OR next.failed_at = first.failed_at AND
		(next.failure < first.failure OR next.failure = first.failure AND next.failure_code < first.failure_code)))`

// told is a change, and when it came.
type told struct {
	change records.Change
	at     time.Time
}

func toldTable() table[told] {
	var fields []field[told]
	for _, f := range changeTable().fields {
		fields = append(fields, field[told]{f.column, func(r *told) cell { return f.cell(&r.change) }})
	}
	return newTable(append(fields, instant("early_at", func(r *told) *time.Time { return &r.at }))...)
}

// toldAt makes rows of changes that come now.
func toldAt(now time.Time, changes []records.Change) []told {
	all := make([]told, len(changes))
	for i, c := range changes {
		all[i] = told{c, now}
	}
	return all
}
