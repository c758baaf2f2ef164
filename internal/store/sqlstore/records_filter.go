package sqlstore

import (
	"strings"
	"time"

	"smsd/internal/records"
)

// conditions are what rows must fulfil, all of them, and the values in them.
type conditions struct {
	all    []string
	values []any
}

func (c *conditions) add(condition string, values ...any) {
	c.all = append(c.all, condition)
	c.values = append(c.values, values...)
}

// is adds a condition on a text, unless any will do.
func (c *conditions) is(column, wanted string) {
	if wanted != "" {
		c.add(column+" = ?", storable(wanted))
	}
}

// has adds a condition on a list of texts, unless any will do. A list holds each as [listCell] writes it,
// within quotes, so that no part of another one fits.
func (c *conditions) has(column, wanted string) {
	if wanted != "" {
		c.add("replace("+column+", ?, '') <> "+column, inJSON(storable(wanted)))
	}
}

// anyOf adds a condition on a hash, unless any will do.
func (c *conditions) anyOf(column string, hashes []records.Hash) {
	if len(hashes) == 0 {
		return
	}
	var values []any
	for _, h := range hashes {
		values = append(values, h[:])
	}
	c.add(column+" IN (?"+strings.Repeat(", ?", len(hashes)-1)+")", values...)
}

// within adds the conditions of a span of time, and of where the page begins.
func (c *conditions) within(f records.Filter, at, row string, after any) {
	if !f.From.IsZero() {
		c.add(at+" >= ?", ceiling(f.From))
	}
	if !f.Until.IsZero() {
		c.add(at+" < ?", ceiling(f.Until))
	}
	if !f.After.At.IsZero() {
		c.add("("+at+", "+row+") < (?, ?)", f.After.At.UnixMilli(), after)
	}
}

// ceiling is the first whole millisecond that is not before t.
func ceiling(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

// shared adds the conditions that both kinds of record know.
func (c *conditions) shared(f records.Filter) {
	if narrow(f) {
		c.is("app || ''", f.App) // the same, and no reason to read all rows of the app in order, as SQLite would
	} else {
		c.is("app", f.App)
	}
	c.is("scene", f.Scene)
	c.is("country", f.Country)
	c.is("request_id", f.RequestID)
	c.is("sms_id", f.SMSID)
	c.anyOf("phone", f.Phones)
	c.anyOf("host", f.Hosts)
	c.anyOf("network", f.Networks)
	c.anyOf("device", f.Devices)
}

// narrow says that few rows fit, which an index finds: those of a request, of a verification or of a subject.
func narrow(f records.Filter) bool {
	return f.RequestID != "" || f.SMSID != "" || len(f.Phones)+len(f.Hosts)+len(f.Networks)+len(f.Devices) > 0
}

// state adds the condition that [records.Verification.State] is wanted at now.
func (c *conditions) state(wanted records.State, now time.Time) {
	const (
		open      = "verified_at IS NULL AND expired_at IS NULL AND expires_at > ?"
		notFailed = "(failed_at IS NULL OR delivered_at IS NOT NULL)"
	)
	ms := now.UnixMilli()
	switch wanted {
	case "":
	case records.Verified:
		c.add("verified_at IS NOT NULL")
	case records.Failed:
		c.add("verified_at IS NULL AND failed_at IS NOT NULL AND delivered_at IS NULL")
	case records.Expired:
		c.add("verified_at IS NULL AND "+notFailed+" AND (expired_at IS NOT NULL OR expires_at <= ?)", ms)
	case records.Delivered:
		c.add(open+" AND delivered_at IS NOT NULL", ms)
	case records.Accepted:
		c.add(open+" AND delivered_at IS NULL AND failed_at IS NULL", ms)
	default:
		c.add("1 = 0") // a state that no row can have
	}
}

// where is the clause, or nothing.
func (c *conditions) where() string {
	if len(c.all) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.all, " AND ")
}
