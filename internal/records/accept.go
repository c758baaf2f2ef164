package records

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"smsd/internal/address"
	"smsd/internal/phone"
)

// NewVerification is a send that is about to be accepted, in clear. Only its hashes and its seal leave [Book.Accept].
type NewVerification struct {
	SMSID, App, Scene, RequestID string
	Phone                        phone.Number
	Client                       address.Addr
	Device                       string // "": none
	PolicyVersion                string
	CreatedAt, ExpiresAt         time.Time
}

// Accept hands over the row of a send, and returns at once: so the message can go to its gateway while the row goes to
// disk. The row is hashed and sealed here, on the caller's time.
func (b *Book) Accept(n NewVerification) *Pending {
	sealed, err := b.keys.Seal(n.SMSID, n.Phone)
	if err != nil {
		return refused(fmt.Errorf("%w: %w", ErrUnavailable, err))
	}
	v := Verification{
		SMSID: clean(n.SMSID), App: clean(n.App), Scene: clean(n.Scene), RequestID: clean(n.RequestID),
		Country: n.Phone.Country(), Prefix: n.Phone.Prefix(), Whom: b.keys.Whom(n.Phone, n.Client, n.Device),
		Sealed: sealed, PolicyVersion: clean(n.PolicyVersion), CreatedAt: instant(n.CreatedAt), ExpiresAt: instant(n.ExpiresAt),
	}
	p := newPending(b.wait)
	p.whom = v.Whom
	return b.push(row{verification: &v, bytes: typicalRow + len(sealed), pending: p})
}

// Change hands over what became known of a verification later: after its row, wherever the two go. It returns at
// once.
func (b *Book) Change(c Change) *Pending {
	c.SMSID, c.ExpiresAt, c.Fate = clean(c.SMSID), instant(c.ExpiresAt), c.Fate.cleaned()
	return b.push(row{change: &c, bytes: typicalRow, pending: newPending(b.wait)})
}

func (b *Book) push(r row) *Pending {
	if err := b.queue.push(r); err != nil {
		b.metrics.refused.Inc()
		return refused(err)
	}
	return r.pending
}

// typicalRow is about how many bytes a row takes in memory: it has a dozen texts, of which the longest are ids.
const typicalRow = 1024

// maxText bounds each text of a row, in bytes: they are ids, and names of a policy.
const maxText = 128

// clean makes a text that every database takes as it is: valid UTF-8 without NUL (which PostgreSQL has not), of at most
// maxText bytes. A row that is refused is set aside, where somebody must look after it.
func clean(s string) string {
	if len(s) <= maxText && utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	s = strings.ToValidUTF8(s[:min(len(s), maxText)], "?")
	return strings.ReplaceAll(s, "\x00", "?")
}

// cleaned is f as every database takes it.
func (f Fate) cleaned() Fate {
	for _, t := range []*time.Time{&f.DeliveredAt, &f.VerifiedAt, &f.FailedAt, &f.ResentAt, &f.ExpiredAt} {
		*t = instant(*t)
	}
	for _, s := range []*string{&f.Gateway, &f.Delivery, &f.Currency, &f.Failure, &f.FailureCode, &f.Billed.Currency} {
		*s = clean(*s)
	}
	f.CostMicros, f.Currency = cost(f.CostMicros, f.Currency)
	return f
}

// maxCost bounds a cost, in millionths: a thousand million of a currency, of which a row's column holds the sum of thousands.
const maxCost = 1e15

// cost makes one that every database can add up: from 0 to maxCost, in a currency. Another one is not known.
func cost(micros int64, currency string) (int64, string) {
	if micros < 0 || micros > maxCost || currency == "" {
		return 0, ""
	}
	return micros, currency
}

// instant is UTC in whole milliseconds, as rows have it; zero stays zero.
func instant(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}
