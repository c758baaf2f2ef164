package records

import (
	"time"

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

// cellKey is what the attempts of one row and second have in common.
type cellKey struct {
	by                         level
	subject                    subject
	network                    string
	app, action, rule, outcome string
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
}

// inFull reports whether an attempt has a row of its own, and counts it.
func (d *decisions) inFull(s subject, a *Attempt) bool {
	n, known := d.tally[s]
	if n >= fullRows || !known && len(d.tally) >= maxDecisions || !d.quota[bySubject].AllowN(a.At, 1) {
		return false
	}
	d.tally[s] = n + 1
	return true
}

// fold adds an attempt to the cell of its subject, its network or its rule, the first that has one or room for one.
func (d *decisions) fold(s subject, a *Attempt) {
	key := cellKey{by: bySubject, subject: s, app: a.App, action: a.Action, rule: a.Rule, outcome: a.Outcome}
	if d.into(key, a) {
		return
	}
	key.by, key.subject, key.network = byNetwork, subject{}, a.Client.Network()
	if d.into(key, a) {
		return
	}
	key.by, key.network = byRule, ""
	if !d.into(key, a) {
		d.metrics.dropped.WithLabelValues("cells").Inc()
	}
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

// room reports whether a cell may be begun, and takes its row from the quota. By rule alone there are few.
func (d *decisions) room(by level, now time.Time) bool {
	if by == byRule {
		return len(d.open) < maxDecisions+maxRuleCells
	}
	return len(d.open) < maxDecisions && d.quota[by].AllowN(now, 1)
}

// decision is the row. One of a network or a rule says nothing of whom it was, or its count would be laid to the latest.
func (k *kept) decision(keys *Keys) Decision {
	a := k.Attempt
	switch k.by {
	case byNetwork:
		a.SMSID, a.Phone, a.Device, a.Scene = "", phone.Number{}, "", ""
	case byRule:
		a.SMSID, a.Phone, a.Device, a.Scene, a.Client = "", phone.Number{}, "", "", address.Addr{}
	}
	row := a.row(keys, k.folded)
	if k.by == byNetwork {
		row.Whom.Host = Hash{}
	}
	return row
}
