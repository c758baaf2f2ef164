package twilio_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/twilio"
	"smsd/internal/gateway/twilio/twiliofake"
	"smsd/internal/secret"
)

const receiptsURL = "https://sms.example.com/api/v1/gateways/twilio/receipts"

func withReceipts(t testing.TB) *twilio.Gateway {
	t.Helper()
	c := byKey("")
	c.ReceiptToken, c.ReceiptsURL = token, receiptsURL
	g, err := twilio.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func report(n int) twiliofake.Report {
	return twiliofake.Report{
		AccountSID: account.Reveal(), SID: fmt.Sprintf("SM%032x", n), Status: "undelivered", ErrorCode: "30003", To: "+8613900001234", From: "+14155550100",
	}
}

// signed is the vendor's call about the n-th message, as the account with that token gets it.
func signed(t *testing.T, n int, token secret.Text) gateway.Post {
	t.Helper()
	address := fmt.Sprintf("%s?message_id=AAECAwQFBgcICQoLDA0ODxAREhMUFR%02d", receiptsURL, n)
	return gatewaytest.PostOf(t, twiliofake.NewReceipt(address, token, report(n)), "", time.Time{})
}

func TestReceiptsConformance(t *testing.T) {
	gatewaytest.RunReceipts(t, gatewaytest.ReceiptHarness{
		Open: func(t *testing.T) gateway.ReceiptReader { return withReceipts(t) },
		Call: func(t *testing.T, n int, _ time.Time) (gateway.Post, []gateway.Receipt) {
			return signed(t, n, token), []gateway.Receipt{{
				MessageID: fmt.Sprintf("AAECAwQFBgcICQoLDA0ODxAREhMUFR%02d", n), ProviderID: fmt.Sprintf("SM%032x", n),
				State: gateway.Undelivered, Reason: gateway.BadNumber, Code: "30003",
			}}
		},
		Stranger: func(t *testing.T, n int, _ time.Time) gateway.Post { return signed(t, n, secret.New("another-token")) },
		Signed:   gatewaytest.Signed{Body: true, URL: true, Headers: []string{"X-Twilio-Signature"}},
		Secrets:  []string{account.Reveal(), key.Reveal(), hidden.Reveal(), token.Reveal()},
	})
}

// What each status says of a message.
func TestStatuses(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]gateway.Receipt{
		"queued":      {State: gateway.UnderWay},
		"sent":        {State: gateway.UnderWay},
		"delivered":   {State: gateway.Delivered},
		"read":        {State: gateway.Delivered},
		"undelivered": {State: gateway.Undelivered, Reason: gateway.Content, Code: "30007"},
		"failed":      {State: gateway.Undelivered, Reason: gateway.Content, Code: "30007"},
	} {
		r := report(1)
		r.Status, r.ErrorCode = status, "30007"
		want.ProviderID = r.SID
		got, err := withReceipts(t).Receipts(t.Context(), gatewaytest.PostOf(t, twiliofake.NewReceipt(receiptsURL, token, r), "", time.Time{}))
		if err != nil || !reflect.DeepEqual(got, []gateway.Receipt{want}) {
			t.Errorf("%s: %+v, %v; want %+v", status, got, err, want)
		}
	}
}

// What the vendor says in a way that is not known here: a status is passed over, a code is told as it is, and what is about no
// message is told to be that.
func TestReportsThatMeanNothing(t *testing.T) {
	t.Parallel()
	read := func(change func(*twiliofake.Report)) ([]gateway.Receipt, error) {
		r := report(1)
		change(&r)
		return withReceipts(t).Receipts(t.Context(), gatewaytest.PostOf(t, twiliofake.NewReceipt(receiptsURL, token, r), "", time.Time{}))
	}
	if got, err := read(func(r *twiliofake.Report) { r.Status = "teleported" }); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	for code, told := range map[string]string{"": "", "39999": "39999", "+14155550100": "", "<x>": ""} {
		got, err := read(func(r *twiliofake.Report) { r.ErrorCode = code })
		if err != nil || len(got) != 1 || got[0].Reason != gateway.Ambiguous || got[0].Code != told {
			t.Errorf("%q: %+v, %v", code, got, err)
		}
	}
	for _, sid := range []string{"", "CA00000000000000000000000000000001", "SM1"} {
		if _, err := read(func(r *twiliofake.Report) { r.SID = sid }); !errors.Is(err, gateway.ErrUnreadable) {
			t.Errorf("%q: %v", sid, err)
		}
	}
}

// The auth token signs receipts where it authenticates; without one nobody is believed, and nothing is asked for.
func TestTokenOfReceipts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config       twilio.Config
		believed     bool
		callback     string
		byProviderID bool
	}{
		"the account's own token": {twilio.Config{AuthToken: token, ReceiptsURL: receiptsURL}, true, receiptsURL + "?message_id=6f0e4b6e-9d0c", false},
		"a key and the token":     {twilio.Config{APIKeySID: key, APIKeySecret: hidden, ReceiptToken: token, ReceiptsURL: receiptsURL}, true, receiptsURL + "?message_id=6f0e4b6e-9d0c", false},
		"no public address":       {twilio.Config{AuthToken: token}, true, "", true},
		"a key alone":             {twilio.Config{APIKeySID: key, APIKeySecret: hidden, ReceiptsURL: receiptsURL}, false, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var callback string
			fake := &twiliofake.Fake{AccountSID: account, User: account, Password: token, Answer: func(m twiliofake.Message) int { callback = m.StatusCallback; return 0 }}
			if !c.config.APIKeySID.IsZero() {
				fake.User, fake.Password = key, hidden
			}
			server := httptest.NewServer(fake)
			defer server.Close()
			c.config.AccountSID, c.config.From, c.config.Endpoint = account, "Acme", server.URL
			g, err := twilio.Open(c.config)
			if err != nil {
				t.Fatal(err)
			}
			accepted, err := g.Send(t.Context(), message())
			if err != nil || callback != c.callback || accepted.ByProviderID != c.byProviderID {
				t.Errorf("%+v, %v, callback %q; want %q", accepted, err, callback, c.callback)
			}
			if _, err := g.Receipts(t.Context(), signed(t, 1, token)); (err == nil) != c.believed {
				t.Error(err)
			}
		})
	}
}

// Whoever can't sign has little work done for a long form.
func TestForgedFormsCostLittle(t *testing.T) {
	g := withReceipts(t)
	var form strings.Builder
	for i := 0; form.Len() < 250<<10; i++ {
		fmt.Fprintf(&form, "&%x=", i)
	}
	p := gateway.Post{URL: receiptsURL, Body: []byte(form.String()[1:]), Header: map[string][]string{"X-Twilio-Signature": {"forged"}}}
	if n := testing.AllocsPerRun(5, func() {
		if _, err := g.Receipts(t.Context(), p); !errors.Is(err, gateway.ErrForged) {
			t.Error(err)
		}
	}); n > 50 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzReceipts(f *testing.F) {
	f.Add("MessageSid=SM00000000000000000000000000000001&MessageStatus=delivered", "message_id=1")
	f.Add("MessageSid=SM00000000000000000000000000000001&MessageStatus=failed&ErrorCode=30003", "")
	g := withReceipts(f)
	f.Fuzz(func(t *testing.T, body, query string) {
		form, _ := url.ParseQuery(body)
		p := gateway.Post{URL: receiptsURL + "?" + query, Body: []byte(body)}
		p.Header = map[string][]string{"X-Twilio-Signature": {twiliofake.Sign(p.URL, token, form)}}
		gatewaytest.CheckReceipts(t, g, p)
	})
}
