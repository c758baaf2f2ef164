package sms_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/sms"
	"smsd/internal/store/sqlstore"
)

// ledger is a rig whose rows go to a database of its own.
type ledger struct {
	*rig
	db   *sqlstore.DB
	keys *records.Keys
	book *records.Book
	// replay opens the book that comes after it.
	replay func() *records.Book
	closed sync.Once
}

func newLedger(t *testing.T, s setup) *ledger {
	t.Helper()
	l := &ledger{keys: recordKeys(t)}
	l.db = must(sqlstore.Open(t.Context(), sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")}))
	o := records.Options{Store: l.db.Records(), Keys: l.keys, Dir: t.TempDir(), Wait: time.Minute} // a machine that is busy is no fault
	l.replay = func() *records.Book { return must(records.Open(o)) }
	l.book = l.replay()
	t.Cleanup(func() { l.close(); _ = l.db.Close() })
	s.records, s.owners = l.book, l.db.Records()
	l.rig = newRig(t, s)
	return l
}

func recordKeys(t *testing.T) *records.Keys {
	t.Helper()
	return must(records.NewKeys(must(keyring.New([][]byte{bytes.Repeat([]byte{1}, 32)}))))
}

// close has every row in the database: what went to the spool, since the disk of a busy machine was too slow for it, is replayed as
// at the next start.
func (l *ledger) close() {
	l.closed.Do(func() {
		_ = l.book.Close(context.Background())
		if l.book.Status().SpooledBytes == 0 {
			return
		}
		next := l.replay()
		for end := time.Now().Add(time.Minute); next.Status().SpooledBytes > 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		_ = next.Close(context.Background())
	})
}

// row is the only row, once everything is written.
func (l *ledger) row() records.Verification {
	l.t.Helper()
	l.close()
	rows, _, err := l.db.Records().Verifications(l.t.Context(), records.Filter{Limit: 10})
	if err != nil || len(rows) != 1 {
		l.t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows[0]
}

// attempts are the entries of the decision log, the oldest first, once everything is written.
func (l *ledger) attempts() []records.Decision {
	l.t.Helper()
	l.close()
	rows, _, err := l.db.Records().Decisions(l.t.Context(), records.Filter{RequestID: "request-1", Limit: 100})
	if err != nil {
		l.t.Fatal(err)
	}
	slices.Reverse(rows)
	return rows
}

func TestRowOfASend(t *testing.T) {
	t.Parallel()
	l := newLedger(t, setup{})
	q := ask(alice)
	q.App, q.DeviceID = "shop", "a device"
	sent := l.send(q)
	v := l.row()
	whom := l.keys.Whom(phone.MustParse(alice), home, "a device")
	if v.SMSID != sent.SMSID || v.App != "shop" || v.Scene != "login" || v.RequestID != "request-1" || v.Country != "CN" ||
		v.Prefix != "+861380013" || v.Whom != whom || v.PolicyVersion != "built-in" || !v.ExpiresAt.Equal(sent.ExpiresAt) ||
		!v.CreatedAt.Equal(l.stores.Now()) {
		t.Errorf("row %+v", v)
	}
	if n, err := l.keys.Open(v.SMSID, v.Sealed); err != nil || n.E164() != alice {
		t.Errorf("the sealed number: %v", err)
	}
	want := records.Fate{Gateway: "mock", Delivery: "accepted", Segments: 1}
	if v.Fate != want || v.State(l.stores.Now()) != records.Accepted {
		t.Errorf("fate %+v", v.Fate)
	}
}

// What became of a message, and of its code, is in the row.
func TestFates(t *testing.T) {
	t.Parallel()
	verify := func(l *ledger, code func(right string) string, times int) {
		sent := l.send(ask(alice))
		for range times {
			_, _ = l.submit(sent.SMSID, code(l.codeOf(alice)))
		}
	}
	for name, c := range map[string]struct {
		do    func(l *ledger)
		state records.State
		check func(f records.Fate) bool
	}{
		"verified": {func(l *ledger) { verify(l, func(right string) string { return right }, 1) }, records.Verified,
			func(f records.Fate) bool { return !f.VerifiedAt.IsZero() }},
		"guessed at until no attempt was left": {func(l *ledger) { verify(l, wrong, 5) }, records.Expired,
			func(f records.Fate) bool { return !f.ExpiredAt.IsZero() }},
		"guessed at": {func(l *ledger) { verify(l, wrong, 4) }, records.Accepted,
			func(f records.Fate) bool { return f.ExpiredAt.IsZero() }},
		"the number can't be reached": {func(l *ledger) { l.fails(mock.Reject, sms.ErrUndeliverable) }, records.Failed,
			func(f records.Fate) bool { return f.Failure == string(gateway.BadNumber) && !f.FailedAt.IsZero() }},
		"nobody took it": {func(l *ledger) { l.fails(mock.Unavailable, sms.ErrGatewayFailed) }, records.Failed,
			func(f records.Fate) bool { return f.Failure == string(gateway.Temporary) && f.Gateway == "" }},
		"nobody can tell": {func(l *ledger) { l.fails(mock.TimeoutAfterAccept, nil) }, records.Accepted,
			func(f records.Fate) bool { return f.Delivery == "unknown" && f.Gateway == "mock" }},
		"resent": {func(l *ledger) {
			sent := l.send(ask(alice))
			l.pass(61 * time.Second)
			l.resend(sent.SMSID)
		}, records.Accepted, func(f records.Fate) bool { return f.Resends == 1 && !f.ResentAt.IsZero() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLedger(t, setup{})
			c.do(l)
			v := l.row()
			if v.State(l.stores.Now()) != c.state || !c.check(v.Fate) {
				t.Errorf("state %s, fate %+v", v.State(l.stores.Now()), v.Fate)
			}
		})
	}
}

// wrong is another code than the right one.
func wrong(right string) string {
	if right == "000000" {
		return "111111"
	}
	return "000000"
}

// fails sends once while the gateway has a fault.
func (l *ledger) fails(fault string, want error) {
	l.t.Helper()
	l.setFault(fault, "", 1, 0)
	if _, err := l.Send(l.ctx(), ask(alice)); !errors.Is(err, want) {
		l.t.Fatalf("send: %v, want %v", err, want)
	}
}

const shadowed = `
limits:
  - {name: strict, by: [ip], limit: 1, window: 1h, mode: shadow}
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: ["*"]
    number_types: [mobile, fixed_or_mobile]
    templates: {en: "{{.Code}} is your code. It works for {{.Minutes}} minutes."}
    limits:
      - {name: cooldown, by: [phone, scene], limit: 1, window: 60s}
`

// Every attempt is in the decision log: who asked for what, what refused it, and what would have.
func TestDecisions(t *testing.T) {
	t.Parallel()
	l := newLedger(t, setup{policy: shadowed})
	sent := l.send(ask(alice))
	l.send(ask(bob))
	l.pass(3 * time.Second) // or it would be refused without a look at the counters
	l.refused(ask(alice))
	_, _ = l.submit(sent.SMSID, l.codeOf(alice))
	_, _ = l.Send(l.ctx(), sms.SendRequest{Phone: alice, Scene: "no such scene", Client: home})
	_, _ = l.Resend(l.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home})
	got := l.attempts() // of this request alone, by its name
	if len(got) != 6 {
		t.Fatalf("%d decisions", len(got))
	}
	phoneOf := func(n string) records.Hash { return l.keys.Whom(phone.MustParse(n), home, "").Phone }
	for i, want := range []records.Decision{
		{Action: "send", Outcome: "accepted", Scene: "login", Gateway: "mock", SMSID: sent.SMSID, Whom: records.Whom{Phone: phoneOf(alice)}},
		{Action: "send", Outcome: "accepted", Scene: "login", Gateway: "mock", Shadow: []string{"strict"}, Whom: records.Whom{Phone: phoneOf(bob)}},
		{Action: "send", Outcome: "rate_limited", Scene: "login", Rule: "login/cooldown", Used: 1, Limit: 1, Shadow: []string{"strict"},
			Whom: records.Whom{Phone: phoneOf(alice)}},
		{Action: "verify", Outcome: "verified", Scene: "login", SMSID: sent.SMSID, Whom: records.Whom{Phone: phoneOf(alice)}},
		{Action: "send", Outcome: "unknown_scene", Scene: "other"},
		{Action: "resend", Outcome: "code_used", Scene: "login", SMSID: sent.SMSID, Whom: records.Whom{Phone: phoneOf(alice)}},
	} {
		d := got[i]
		if d.Action != want.Action || d.Outcome != want.Outcome || d.Scene != want.Scene || d.Rule != want.Rule || d.Used != want.Used ||
			d.Limit != want.Limit || d.Gateway != want.Gateway || !slices.Equal(d.Shadow, want.Shadow) || d.Whom.Phone != want.Whom.Phone {
			t.Errorf("decision %d: %+v", i, d)
		}
		if want.SMSID != "" && d.SMSID != want.SMSID || d.App != sms.DefaultApp || d.Whom.Host.IsZero() || d.PolicyVersion == "" || d.Folded != 0 {
			t.Errorf("decision %d: %+v", i, d)
		}
	}
}

// What the block list refused names the entry, and not its reason, which may speak of somebody.
func TestDecisionsNameTheBlock(t *testing.T) {
	t.Parallel()
	l := newLedger(t, setup{policy: with("\nblock:\n  - {country: DE, reason: fraud}\n  - {phone: \"" + alice + "\", reason: of alice}\n" +
		"apps: {shop: {block: [{phone: \"" + bob + "\", reason: theirs}]}}")})
	l.sendFails(ask(alice), sms.ErrBlocked)
	shops := ask(bob)
	shops.App = "shop"
	l.sendFails(shops, sms.ErrBlocked)
	var rules []string
	for _, d := range l.attempts() {
		rules = append(rules, d.Outcome+" "+d.Rule)
	}
	if !slices.Equal(rules, []string{"blocked block[1]", "blocked apps.shop.block[0]"}) {
		t.Errorf("decisions: %q", rules)
	}
}

// absent is a database that is not there.
type absent struct{ records.Store }

func (absent) Append(context.Context, records.Batch) error { return errors.New("absent") }
func (absent) Ping(context.Context) error                  { return errors.New("absent") }

// Where rows can't be kept nothing is charged and nothing is sent.
func TestRefusesWhatItCannotRecord(t *testing.T) {
	t.Parallel()
	book := must(records.Open(records.Options{Store: absent{}, Keys: recordKeys(t), Dir: t.TempDir(), OnFailure: records.Refuse}))
	t.Cleanup(func() {
		ended, end := context.WithCancel(context.Background())
		end() // what waits for the database would wait for ever
		_ = book.Close(ended)
	})
	r := newRig(t, setup{records: book})
	r.sendFails(ask(alice), sms.ErrUnavailable) // its message leaves before anybody knows
	if book.Ready() == nil {
		t.Fatal("the book does not know that its database is away")
	}
	r.sendFails(ask(bob), sms.ErrUnavailable)
	r.countMessages(bob, 0)
	r.countMessages(alice, 1)
}
