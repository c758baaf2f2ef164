package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/webhook"
	"smsd/internal/records"
	"smsd/internal/secret"
)

const receiptSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// counted is a store of records that counts what is written.
type counted struct {
	records.Store
	calls atomic.Int64
}

func (c *counted) Append(ctx context.Context, b records.Batch) error {
	c.calls.Add(1)
	return c.Store.Append(ctx, b)
}

// known is the mock gateway, of which a test knows the messages' ids.
type known struct {
	gateway.Driver
	ids chan string
}

func (k *known) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	k.ids <- m.ID
	return k.Driver.Send(ctx, m)
}

// newReceiving is an API whose gateway "hook" is told of receipts as webhook is, and whose rows are in a database.
func newReceiving(t *testing.T, changes ...func(*setup)) (*api, *archive, *counted, *known) {
	t.Helper()
	rows := newArchive(t)
	store, ids := &counted{Store: rows.store}, &known{ids: make(chan string, 10)}
	book, err := records.Open(records.Options{Store: store, Keys: rows.keys, Dir: t.TempDir(), Wait: time.Minute}) // a machine that is busy is no fault
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = book.Close(context.Background()) })
	hook, err := webhook.Open(webhook.Config{URL: secret.New("https://sms.example.com"), Secrets: []secret.Text{secret.New(receiptSecret)}})
	if err != nil {
		t.Fatal(err)
	}
	return newAPI(t, append(changes, func(s *setup) {
		rows.use(s)
		s.records = book
		s.gateway = func(d gateway.Driver) gateway.Driver { ids.Driver = d; return ids }
		if s.http.Receipts == nil {
			s.http.Receipts = func(name string) (gateway.ReceiptReader, bool) { return hook, name == "hook" }
		}
	})...), rows, store, ids
}

// reported is a call as the receiver makes it.
func (a *api) reported(body string, change ...func(*http.Request)) *reply {
	a.Helper()
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(receiptSecret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "r1.%d.%s", start.Unix(), body)
	r := request("POST", "http://127.0.0.1:8080/api/v1/gateways/hook/receipts", body, "Webhook-Id", "r1",
		"Webhook-Timestamp", fmt.Sprint(start.Unix()), "Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, f := range change {
		f(r)
	}
	return a.do(a.public, r)
}

func reportOn(id, state string) string {
	return fmt.Sprintf(`{"type":"sms.receipt","data":[{"id":%q,"state":%q,"new":{}},{"id":"another's","state":"delivered"}]}`, id, state)
}

// What a receiver reports is in the status, and a repetition changes nothing.
func TestReceipts(t *testing.T) {
	t.Parallel()
	a, _, _, known := newReceiving(t)
	a.setFault("timeout_after_accept", alice)
	id, _ := a.sent(alice)
	message := <-known.ids
	for range 2 {
		if r := a.reported(reportOn(message, "delivered")); r.status != 200 || r.number("received") != 2 {
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	if r := a.becomes(id, "delivered"); r.text("delivery") != "accepted" {
		t.Errorf("%s", r.body)
	}
	if r := a.reported(reportOn(message, "undelivered")); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	a.everyRowIsThere()
	if r := a.status(id); r.text("state") != "delivered" {
		t.Errorf("told of a failure later: %s", r.body)
	}
}

// becomes waits until a verification has a state. A row that took its time has gone to the spool, and counts as kept before the
// database has it.
func (a *api) becomes(id, state string) *reply {
	a.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		r := a.status(id)
		if r.text("state") == state {
			return r
		}
		if time.Now().After(deadline) {
			a.Fatalf("not %s in %s: %s", state, patience, r.body)
		}
	}
}

// everyRowIsThere waits until the database has what was told so far: rows keep their order, and it has the one that is told now.
func (a *api) everyRowIsThere() {
	a.Helper()
	last, _ := a.sent("+447911123456")
	a.becomes(last, "accepted")
}

// What each call that is wrong comes to.
func TestReceiptsRefused(t *testing.T) {
	t.Parallel()
	a, _, _, _ := newReceiving(t)
	at := func(path string) func(*http.Request) { return func(r *http.Request) { r.URL.Path = path } }
	good := reportOn("x", "delivered")
	a.want(a.reported(good, at("/api/v1/gateways/nobody/receipts")), 404, "not_found")
	a.want(a.reported(good, func(r *http.Request) { r.Header.Set("Webhook-Id", "r2") }), 401, "unauthorized")
	a.want(a.reported(good, func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }), 415, "unsupported_media_type")
	a.want(a.reported(`{"type":`), 400, "invalid_request")
	a.want(a.reported(`{"type":"sms.receipt","data":`+strings.Repeat("[", 50_000)), 400, "invalid_request")
	a.want(a.reported(strings.Repeat(" ", maxReceiptBody+1)), 413, "body_too_large")
	many := strings.Repeat(`{"id":"x","state":"delivered"},`, maxReceipts)
	a.want(a.reported(`{"type":"sms.receipt","data":[`+many+`{"id":"x","state":"delivered"}]}`), 413, "body_too_large")
	if r := a.reported(good, at("/api/v1/gateways/hook/receipts/secret")); r.status != 200 {
		t.Errorf("with a secret that nobody asks for: %d %s", r.status, r.body)
	}
	if log := a.log.String(); !strings.Contains(log, "receipts refused") || strings.Contains(log, "sms.receipt") {
		t.Errorf("the log: %s", log)
	}
}

// Ten thousand forged calls ask the database nothing, and fill no log.
func TestForgedReceiptsCostLittle(t *testing.T) {
	t.Parallel()
	a, _, store, _ := newReceiving(t)
	before := store.calls.Load()
	for range 10_000 {
		r := request("POST", "http://127.0.0.1:8080/api/v1/gateways/hook/receipts", `{"type":"sms.receipt","data":[]}`, "Webhook-Id", "r1",
			"Webhook-Timestamp", fmt.Sprint(start.Unix()), "Webhook-Signature", "v1,AAAA")
		a.public.ServeHTTP(discard{http.Header{}}, r)
	}
	if n := store.calls.Load() - before; n != 0 {
		t.Errorf("%d calls of the database", n)
	}
	if n := strings.Count(a.log.String(), "receipts refused"); n < 1 || n > 100 {
		t.Errorf("%d lines", n)
	}
}

// discard is an answer that nobody reads.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

// The URL that a signature is over is the public one, or what the trusted proxy says, and nobody else.
func TestReceiptURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		public, proxy, want string
	}{
		{"", "", "http://127.0.0.1:8080/api/v1/gateways/a/receipts?x=%2B1"},
		{"", "203.0.113.0/24", "https://sms.example.com/api/v1/gateways/a/receipts?x=%2B1"},
		{"https://pub.example/smsd", "203.0.113.0/24", "https://pub.example/smsd/api/v1/gateways/a/receipts?x=%2B1"},
	} {
		a := newAPI(t, func(s *setup) {
			if c.proxy != "" {
				s.http.TrustedProxies = []netip.Prefix{netip.MustParsePrefix(c.proxy)}
			}
			s.http.PublicURL = c.public
		})
		core, err := newCore(Options{Service: a.http.Service, Policy: a.http.Policy, Health: a.http.Health, TrustedProxies: a.http.TrustedProxies, PublicURL: c.public}, "public")
		if err != nil {
			t.Fatal(err)
		}
		r := request("POST", "http://127.0.0.1:8080/api/v1/gateways/a/receipts?x=%2B1", "", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "evil.example, sms.example.com")
		r.RequestURI = ""
		if got := (&receipts{core: core}).urlOf(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
