package sms_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// announced is a Before that notes what it sees, and fails as told.
type announced struct {
	r     *rig
	fails error
	ids   []string
	state []string // of the code and the inbox when it was called
}

func (a *announced) before(ctx context.Context, id string) error {
	record, err := a.r.codes.Get(ctx, id)
	a.ids = append(a.ids, id)
	a.state = append(a.state, fmt.Sprintf("%v %t %d", err, record.Used, len(a.r.inbox.Messages(mock.Filter{}))))
	return a.fails
}

var errAnnounce = fmt.Errorf("nobody writes it down: %w", sms.ErrUnavailable)

// A send is announced when it is charged and its code stored, and before a gateway is asked. If that fails, nothing of it
// is left, and it can be made again.
func TestSendIsAnnounced(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	a := &announced{r: r, fails: errAnnounce}
	q := ask(alice)
	q.Before = a.before
	if _, err := r.Send(r.ctx(), q); !errors.Is(err, errAnnounce) {
		t.Fatalf("error %v", err)
	}
	if len(a.state) != 1 || a.state[0] != "<nil> false 0" {
		t.Errorf("announced with %q", a.state)
	}
	if _, err := r.codes.Get(r.ctx(), a.ids[0]); !errors.Is(err, sms.ErrNotFound) || len(r.inbox.Messages(mock.Filter{})) != 0 {
		t.Errorf("something is left: %v", err)
	}
	a.fails = nil
	sent := r.send(q) // the charge was given back
	if len(a.ids) != 2 || a.ids[1] != sent.SMSID {
		t.Errorf("announced as %q, answered as %s", a.ids, sent.SMSID)
	}
	r.refused(q)
	if len(a.ids) != 2 {
		t.Error("a send that was refused is announced")
	}
}

func TestResendIsAnnounced(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	a := &announced{r: r, fails: errAnnounce}
	q := sms.ResendRequest{SMSID: sent.SMSID, Client: home, Before: a.before}
	var denied *throttle.Denied
	if _, err := r.Resend(r.ctx(), q); !errors.As(err, &denied) || len(a.ids) != 0 {
		t.Fatalf("a resend that is refused: %v, announced %d times", err, len(a.ids))
	}
	r.pass(time.Minute)
	if _, err := r.Resend(r.ctx(), q); !errors.Is(err, errAnnounce) {
		t.Fatalf("error %v", err)
	}
	a.fails = nil
	if _, err := r.Resend(r.ctx(), q); err != nil {
		t.Fatalf("the charge was not given back: %v", err)
	}
	if len(a.state) != 2 || a.state[0] != "<nil> false 1" || a.ids[1] != sent.SMSID {
		t.Errorf("announced with %q for %q", a.state, a.ids)
	}
}

// A verify is announced when it will use the code up, and only then; if that fails, the code is as it was.
func TestVerifyIsAnnounced(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	code := r.inbox.Messages(mock.Filter{SMSID: sent.SMSID})[0].Code.Reveal()
	a := &announced{r: r, fails: errAnnounce}
	right := sms.VerifyRequest{SMSID: sent.SMSID, Code: code, Client: home, Before: a.before}
	for name, change := range map[string]func(*sms.VerifyRequest){
		"another code":  func(q *sms.VerifyRequest) { q.Code = wrong(code) },
		"another scene": func(q *sms.VerifyRequest) { q.Scene = "payment" },
		"another phone": func(q *sms.VerifyRequest) { q.Phone = bob },
		"another app":   func(q *sms.VerifyRequest) { q.App = "shop" },
		"too short":     func(q *sms.VerifyRequest) { q.Code = code[:5] },
		"unknown":       func(q *sms.VerifyRequest) { q.SMSID = "6f9619ff-8b86-4011-b42d-00c04fc964ff" },
	} {
		q := right
		change(&q)
		if _, err := r.Verify(r.ctx(), q); err == nil || errors.Is(err, errAnnounce) || len(a.ids) != 0 {
			t.Errorf("%s: %v, announced %d times", name, err, len(a.ids))
		}
	}
	if _, err := r.Verify(r.ctx(), right); !errors.Is(err, errAnnounce) || len(a.state) != 1 || a.state[0] != "<nil> false 1" {
		t.Fatalf("error %v, announced with %q", err, a.state)
	}
	a.fails = nil
	if _, err := r.Verify(r.ctx(), right); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Verify(r.ctx(), right); !errors.Is(err, sms.ErrUsed) || len(a.ids) != 2 {
		t.Errorf("a used code: %v, announced %d times", err, len(a.ids))
	}
}

// What is announced for a test number takes a place among the sends to test numbers, resends too.
func TestAnnouncedResendsToTestNumbersArePaced(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: `
scenes: {login: {templates: {en: "{{.Code}}"}}}
test_numbers: [{phone: "` + alice + `", code: "000000"}]
`})
	sent := r.send(ask(alice))
	a := &announced{r: r}
	q := sms.ResendRequest{SMSID: sent.SMSID, Client: home}
	resend := func(before sms.Before) error {
		q.Before = before
		_, err := r.Resend(r.ctx(), q)
		return err
	}
	for range 1000 {
		if resend(a.before) != nil {
			break
		}
	}
	var denied *throttle.Denied
	if err := resend(a.before); !errors.As(err, &denied) || len(a.ids) == 0 || len(a.ids) > 300 {
		t.Errorf("announced %d times, then %v", len(a.ids), err)
	}
	if err := resend(nil); err != nil {
		t.Errorf("a resend that nobody writes down: %v", err)
	}
}

// What nobody lived to answer is made anew from what is stored: the answer and the row, once.
func TestRecall(t *testing.T) {
	t.Parallel()
	l := newLedger(t, setup{})
	q := ask(alice)
	died := errors.New("the process dies here")
	var id string
	q.Before = func(_ context.Context, smsID string) error { id = smsID; panic(died) }
	func() {
		defer func() { _ = recover() }()
		_, _ = l.Send(l.ctx(), q)
	}()
	l.pass(20 * time.Second)
	for range 2 {
		sent, err := l.Recall(l.ctx(), "", id)
		if err != nil || sent.SMSID != id || sent.Delivery != sms.DeliveryUnknown || sent.ExpiresIn != 280*time.Second ||
			sent.ResendIn != 40*time.Second || sent.Phone.E164() != alice || sent.Scene != "login" || sent.CodeLength != 6 || sent.Attempts != 5 {
			t.Fatalf("recalled %+v, %v", sent, err)
		}
	}
	if _, err := l.Recall(l.ctx(), "shop", id); !errors.Is(err, sms.ErrNotFound) {
		t.Errorf("by another app: %v", err)
	}
	if row := l.row(); row.SMSID != id || row.Scene != "login" || row.RequestID != "request-1" || row.ExpiresAt.Sub(row.CreatedAt) != 5*time.Minute {
		t.Errorf("the row is %+v", row)
	}
	l.pass(5 * time.Minute)
	if _, err := l.Recall(l.ctx(), "", id); !errors.Is(err, sms.ErrExpired) {
		t.Errorf("after its end: %v", err)
	}
}

func TestRecallVerified(t *testing.T) {
	t.Parallel()
	l := newLedger(t, setup{})
	sent := l.send(ask(alice))
	code := l.inbox.Messages(mock.Filter{SMSID: sent.SMSID})[0].Code.Reveal()
	mark := sms.Hash{7: 7}
	at := sent.ExpiresAt.Add(-time.Minute)
	recall := func(app string, mark sms.Hash) (sms.Verified, error) {
		return l.RecallVerified(l.ctx(), sms.Success{App: app, SMSID: sent.SMSID, Mark: mark, At: at})
	}
	if _, err := recall("", mark); !errors.Is(err, sms.ErrNotFound) {
		t.Errorf("before any verify: %v", err)
	}
	if _, err := l.Verify(l.ctx(), sms.VerifyRequest{SMSID: sent.SMSID, Code: code, Client: home, Mark: mark}); err != nil {
		t.Fatal(err)
	}
	if v, err := recall("", mark); err != nil || v.SMSID != sent.SMSID || v.Phone.E164() != alice || v.Scene != "login" || !v.VerifiedAt.Equal(at) {
		t.Errorf("recalled %+v, %v", v, err)
	}
	for _, c := range []struct {
		app  string
		mark sms.Hash
	}{{"shop", mark}, {"", sms.Hash{7: 8}}, {"", sms.Hash{}}} {
		if _, err := recall(c.app, c.mark); !errors.Is(err, sms.ErrNotFound) {
			t.Errorf("as %+v: %v", c, err)
		}
	}
	if row := l.row(); row.Fate.VerifiedAt.IsZero() || row.Fate.VerifiedAt.Equal(at) {
		t.Errorf("verified at %s, want when it was", row.Fate.VerifiedAt)
	}
}
