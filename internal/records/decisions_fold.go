package records

import (
	"strings"
	"time"

	"golang.org/x/time/rate"

	"smsd/internal/address"
	"smsd/internal/phone"
)

// level is what attempts have in common that are folded into one row.
type level int

// The levels, each of which is taken where the one before has no room.
const (
	bySubject level = iota
	byNetwork
	byRule
)

var levelNames = [...]string{bySubject: "subject", byNetwork: "network", byRule: "rule"}

// subject is whose attempts are counted together: a number's, or a host's where there is no number.
type subject struct {
	phone phone.Number
	host  string
}

func subjectOf(a *Attempt) subject {
	if a.Phone.IsZero() {
		return subject{host: a.Client.Host()}
	}
	return subject{phone: a.Phone}
}

// sort is what attempts of one row have in common beside whose they are. The policy bounds them.
type sort struct{ app, action, rule, outcome string }

// cellKey is what the attempts of one row and second have in common.
type cellKey struct {
	subject subject // by network: the host is the network
	sort    int     // in decisions.sorts: a number is faster to look up than four texts, three times
	by      level
}

// turn ends the second of the cells where now is in another one. A clock that other goroutines read a moment ago may still
// be in the one before.
func (d *decisions) turn(now time.Time) {
	second := now.Unix()
	if second == d.second || second == d.second-1 {
		return
	}
	d.flush()
	d.second = second
	if span := second / fullSpan; span != d.span {
		clear(d.tally)
		d.span = span
	}
}

// flush completes every cell.
func (d *decisions) flush() {
	for _, k := range d.open {
		d.keep(k)
	}
	clear(d.open)
	d.open = d.open[:0]
	clear(d.cells)
	clear(d.sorts)
}

// inFull reports whether an attempt has a row of its own, and counts it.
func (d *decisions) inFull(s subject, a *Attempt) bool {
	n, known := d.tally[s]
	if n >= fullRows || !known && len(d.tally) >= maxDecisions || !d.quotas[bySubject].take(a.At) {
		return false
	}
	d.tally[s] = n + 1
	return true
}

// fold adds an attempt to the cell of its subject, its network or its rule, the first that has one or room for one.
func (d *decisions) fold(s subject, a *Attempt) {
	n, ok := d.sortOf(a)
	if ok && (d.into(cellKey{s, n, bySubject}, a) ||
		d.into(cellKey{subject{host: a.Client.Network()}, n, byNetwork}, a) ||
		d.into(cellKey{subject{}, n, byRule}, a)) {
		return
	}
	d.metrics.dropped.WithLabelValues("cells").Inc()
}

// sortOf numbers the sorts of a second.
func (d *decisions) sortOf(a *Attempt) (n int, ok bool) {
	key := sort{a.App, a.Action, listOf(a.Rule), a.Outcome}
	if n, ok = d.sorts[key]; ok || len(d.sorts) >= maxSorts {
		return n, ok
	}
	n = len(d.sorts)
	d.sorts[key] = n
	return n, true
}

// listOf is a rule without which entry of its list it is, as "block" of "block[3]": a list may have ten thousand, and a flood of what
// they block would have a row for each.
func listOf(rule string) string {
	list, _, _ := strings.Cut(rule, "[")
	return list
}

// into adds an attempt to a cell, which is begun if there is room.
func (d *decisions) into(key cellKey, a *Attempt) bool {
	if i, ok := d.cells[key]; ok {
		d.open[i].Attempt = *a
		d.open[i].folded++
		d.metrics.foldedBy[key.by].Inc()
		return true
	}
	if !d.room(key.by, a.At) {
		return false
	}
	d.cells[key] = len(d.open)
	d.open = append(d.open, kept{Attempt: *a, by: key.by})
	return true
}

// room reports whether a cell may be begun, and takes its row from the quota. By rule alone there are as many as
// sorts.
func (d *decisions) room(by level, now time.Time) bool {
	return by == byRule || len(d.open) < maxDecisions && d.quotas[by].take(now)
}

// quota bounds rows. In a flood it is asked a thousand times for each row that it has, so what it said is remembered for a
// moment.
type quota struct {
	rows *rate.Limiter
	dry  time.Time // it had none
}

const dryFor = 5 * time.Millisecond

// take takes a row from the quota, if there is one.
func (q *quota) take(now time.Time) bool {
	if since := now.Sub(q.dry); since >= 0 && since < dryFor {
		return false
	}
	if q.rows.AllowN(now, 1) {
		return true
	}
	q.dry = now
	return false
}

// decision is the row. One of a network or a rule says nothing of whom it was, or its count would be laid to the latest.
func (k *kept) decision(keys *Keys) Decision {
	a := k.Attempt
	if k.by != bySubject {
		a.Rule = listOf(a.Rule)
	}
	switch k.by {
	case byNetwork:
		a.SMSID, a.Phone, a.Device, a.Scene, a.Whom = "", phone.Number{}, "", "", Whom{}
	case byRule:
		a.SMSID, a.Phone, a.Device, a.Scene, a.Whom, a.Client = "", phone.Number{}, "", "", Whom{}, address.Addr{}
	}
	row := a.row(keys, k.folded)
	if k.by == byNetwork {
		row.Whom.Host = Hash{}
	}
	return row
}
