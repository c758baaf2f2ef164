package vonage_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/vonage"
	"smsd/internal/gateway/vonage/vonagefake"
	"smsd/internal/secret"
)

const receiptsURL = "https://sms.example.com/api/v1/gateways/vonage/receipts"

var (
	signatureSecret = secret.New("VJFxbH5qS0YRtQzmD0LhYJ5sNOGzCnmi")
	vendorsSigner   = vonagefake.Signer{Secret: signatureSecret, APIKey: apiKey.Reveal(), ApplicationID: application.Reveal()}
)

func withReceipts(t testing.TB) *vonage.Gateway {
	t.Helper()
	c := byAccount("")
	c.SignatureSecret, c.ReceiptsURL = signatureSecret, receiptsURL
	g, err := vonage.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func report(n int, at time.Time) vonagefake.Report {
	return vonagefake.Report{
		ID: fmt.Sprintf("aaaaaaaa-bbbb-4ccc-8ddd-%012x", n), ClientRef: fmt.Sprintf("AAECAwQFBgcICQoLDA0ODxAREhMUFR%02d", n),
		To: "8613900001234", From: "Acme", Status: "rejected", Code: "1240", Price: "0.0333", Parts: 2, At: at,
	}
}

func post(t *testing.T, by vonagefake.Signer, r vonagefake.Report) gateway.Post {
	t.Helper()
	return gatewaytest.PostOf(t, vonagefake.NewReceipt(receiptsURL, by, r), "", r.At)
}

func TestReceiptsConformance(t *testing.T) {
	gatewaytest.RunReceipts(t, gatewaytest.ReceiptHarness{
		Open: func(t *testing.T) gateway.ReceiptReader { return withReceipts(t) },
		Call: func(t *testing.T, n int, at time.Time) (gateway.Post, []gateway.Receipt) {
			r := report(n, at)
			return post(t, vendorsSigner, r), []gateway.Receipt{{
				MessageID: r.ClientRef, ProviderID: r.ID, State: gateway.Undelivered, Reason: gateway.BadNumber, Code: "1240", At: at, Segments: 2,
				CostMicros: 33300, Currency: "EUR",
			}}
		},
		Stranger: func(t *testing.T, n int, at time.Time) gateway.Post {
			by := vendorsSigner
			by.Secret = secret.New("VJFxbH5qS0YRtQzmD0LhYJ5sNOGzCnmj")
			return post(t, by, report(n, at))
		},
		Bare: func(_ *testing.T, body []byte, at time.Time) gateway.Post {
			return gateway.Post{Header: map[string][]string{"Authorization": {vendorsSigner.Sign(body, at)}}, Body: body, Now: at}
		},
		Signed:  gatewaytest.Signed{Body: true, Headers: []string{"Authorization"}},
		MaxAge:  24 * time.Hour,
		Secrets: []string{apiKey.Reveal(), apiSecret.Reveal(), signatureSecret.Reveal()},
	})
}

// What each status says of a message.
func TestStatuses(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]gateway.Receipt{
		"submitted":     {State: gateway.UnderWay},
		"delivered":     {State: gateway.Delivered},
		"read":          {State: gateway.Delivered},
		"rejected":      {State: gateway.Undelivered, Reason: gateway.Content, Code: "1210"},
		"undeliverable": {State: gateway.Undelivered, Reason: gateway.Content, Code: "1210"},
	} {
		r := report(1, now)
		r.Status, r.Code, r.Price = status, "1210", ""
		want.MessageID, want.ProviderID, want.At, want.Segments = r.ClientRef, r.ID, now, 2
		got, err := withReceipts(t).Receipts(t.Context(), post(t, vendorsSigner, r))
		if err != nil || !reflect.DeepEqual(got, []gateway.Receipt{want}) {
			t.Errorf("%s: %+v, %v; want %+v", status, got, err, want)
		}
	}
}

func read(t *testing.T, body string) ([]gateway.Receipt, error) {
	t.Helper()
	header := map[string][]string{"Authorization": {vendorsSigner.Sign([]byte(body), now)}}
	return withReceipts(t).Receipts(t.Context(), gateway.Post{Header: header, Body: []byte(body), Now: now})
}

// What is written in another way than the fake's: numbers for texts, an older form of time, a type without a code, a price that is none.
func TestOtherSpellings(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]gateway.Receipt{
		`{"message_uuid": "a", "status": "rejected", "error": {"type": "https://developer.nexmo.com/api-errors/messages-olympus", "title": 1241}}`: {
			State: gateway.Undelivered, Reason: gateway.Throttled, Code: "1241"},
		`{"message_uuid": "a", "status": "rejected", "error": {"type": "x#9999", "title": "Something new"}}`: {State: gateway.Undelivered, Reason: gateway.Ambiguous},
		`{"message_uuid": "a", "status": "rejected"}`:                                                        {State: gateway.Undelivered, Reason: gateway.Ambiguous},
		`{"message_uuid": "a", "status": "submitted", "timestamp": "2026-11-30 06:00:00 +0000", "sms": {"count_total": "3"}, "usage": {"price": 0.04, "currency": "EUR"}}`: {
			State: gateway.UnderWay, At: now, Segments: 3, CostMicros: 40000, Currency: "EUR"},
		`{"message_uuid": "a", "status": "submitted", "timestamp": "today", "sms": null, "usage": {"price": "free", "currency": "EUR"}}`: {State: gateway.UnderWay},
		`{"message_uuid": "a", "status": "submitted", "usage": {"price": "0.04", "currency": "<script>"}}`:                               {State: gateway.UnderWay},
	} {
		want.ProviderID = "a"
		if got, err := read(t, body); err != nil || !reflect.DeepEqual(got, []gateway.Receipt{want}) {
			t.Errorf("%s: %+v, %v; want %+v", body, got, err, want)
		}
	}
	for _, body := range []string{`{"message_uuid": "a", "status": "read", "channel": "whatsapp"}`, `{"message_uuid": "a", "status": "teleported"}`} {
		if got, err := read(t, body); err != nil || len(got) != 0 {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
	if _, err := read(t, `{"status": "delivered"}`); !errors.Is(err, gateway.ErrUnreadable) {
		t.Error(err)
	}
}

// A call of another application or account with the same secret is not ours; one that names neither is.
func TestWhoseReceipts(t *testing.T) {
	t.Parallel()
	byApp := byApplication("")
	byApp.SignatureSecret = signatureSecret
	app, err := vonage.Open(byApp)
	if err != nil {
		t.Fatal(err)
	}
	for by, good := range map[[2]string][2]bool{ // good for the application, for the account
		{"", ""}:                                     {true, true},
		{apiKey.Reveal(), application.Reveal()}:      {true, true},
		{"another1", application.Reveal()}:           {true, false},
		{apiKey.Reveal(), "another-application-id1"}: {false, true},
	} {
		p := post(t, vonagefake.Signer{Secret: signatureSecret, APIKey: by[0], ApplicationID: by[1]}, report(1, now))
		for i, g := range []*vonage.Gateway{app, withReceipts(t)} {
			if _, err := g.Receipts(t.Context(), p); (err == nil) != good[i] {
				t.Errorf("%v: %v", by, err)
			}
		}
	}
}

// The token that the vendor has published with its secret, in its SDK for Python (vonage-python-sdk, jwt/tests/test_verify_jwt.py, at commit
// 445cab8, read in November 2026): it is taken by that secret alone and for its day. The vendor has none of a whole call, with a
// body, so that this one is refused for the digest that it lacks.
func TestTokenOfTheVendorsExample(t *testing.T) {
	t.Parallel()
	const token = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9" +
		".eyJpc3MiOiJPbmxpbmUgSldUIEJ1aWxkZXIiLCJpYXQiOjE2OTc2MzQ2ODAsImV4cCI6MzMyNTQ1NDA4MjgsImF1ZCI6IiIsInN1YiI6IiJ9" +
		".88vJc3I2HhuqEDixHXVhc9R30tA6U_HQHZTC29y6CGM"
	const known, another = "qwertyuiopasdfghjklzxcvbnm123456", "qwertyuiopasdfghjklzxcvbnm123457"
	signed := time.Unix(1697634680, 0)
	for want, c := range map[string]struct {
		secret string
		now    time.Time
	}{
		"its digest is another body's":                     {known, signed.Add(time.Hour)},
		"it is not signed with signature_secret":           {another, signed.Add(time.Hour)},
		"it is not signed with signature_secret, or not f": {known, signed.Add(-time.Hour)},
		"it is more than a day old":                        {known, signed.Add(25 * time.Hour)},
	} {
		config := byAccount("")
		config.SignatureSecret = secret.New(c.secret)
		p := gateway.Post{URL: receiptsURL, Header: map[string][]string{"Authorization": {"Bearer " + token}}, Body: []byte("{}"), Now: c.now}
		if _, err := open(t, config).Receipts(t.Context(), p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// No other algorithm is taken, none among them, and no token without a time or a digest.
func TestTokensThatWillNotDo(t *testing.T) {
	t.Parallel()
	p := post(t, vendorsSigner, report(1, now))
	sum := sha256.Sum256(p.Body)
	digest, whole := hex.EncodeToString(sum[:]), []byte(signatureSecret.Reveal())
	for name, c := range map[string]struct {
		method jwt.SigningMethod
		key    any
		claims jwt.MapClaims
		good   bool
	}{
		"genuine":          {jwt.SigningMethodHS256, whole, jwt.MapClaims{"iat": now.Unix(), "payload_hash": digest}, true},
		"another method":   {jwt.SigningMethodHS512, whole, jwt.MapClaims{"iat": now.Unix(), "payload_hash": digest}, false},
		"none":             {jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, jwt.MapClaims{"iat": now.Unix(), "payload_hash": digest}, false},
		"without a time":   {jwt.SigningMethodHS256, whole, jwt.MapClaims{"payload_hash": digest}, false},
		"without a digest": {jwt.SigningMethodHS256, whole, jwt.MapClaims{"iat": now.Unix()}, false},
		"with an end":      {jwt.SigningMethodHS256, whole, jwt.MapClaims{"iat": now.Unix(), "payload_hash": digest, "exp": now.Add(-time.Hour).Unix()}, false},
	} {
		token, err := jwt.NewWithClaims(c.method, c.claims).SignedString(c.key)
		if err != nil {
			t.Fatal(err)
		}
		p.Header = map[string][]string{"Authorization": {"Bearer " + token}}
		if _, err := withReceipts(t).Receipts(t.Context(), p); (err == nil) != c.good || !c.good && !errors.Is(err, gateway.ErrForged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without the secret nobody is believed, and nothing is asked for.
func TestNoReceiptsWithoutASecret(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config vonage.Config
		secret string
		want   string
	}{
		"an application":        {byApplication(""), signatureSecret.Reveal(), receiptsURL + " v1"},
		"an account":            {byAccount(""), signatureSecret.Reveal(), ""}, // its address is in the dashboard
		"without the secret":    {byApplication(""), "", ""},
		"an account without it": {byAccount(""), "", ""},
	} {
		var got vonagefake.Message
		server := httptest.NewServer(newFake(func(m vonagefake.Message) vonagefake.Refusal { got = m; return vonagefake.Refusal{} }))
		defer server.Close()
		c.config.SignatureSecret, c.config.ReceiptsURL, c.config.Endpoint = secret.New(c.secret), receiptsURL, server.URL
		g := open(t, c.config)
		if _, err := g.Send(t.Context(), message()); err != nil || strings.TrimSpace(got.WebhookURL+" "+got.WebhookVersion) != c.want {
			t.Errorf("%s: %+v, %v; want %s", name, got, err, c.want)
		}
		if _, err := g.Receipts(t.Context(), post(t, vendorsSigner, report(1, now))); (err == nil) != (c.secret != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := byAccount("")
	c.SignatureSecret = secret.New("short")
	if _, err := vonage.Open(c); err == nil || !strings.Contains(err.Error(), "signature_secret: must have") {
		t.Error(err)
	}
}

func FuzzReceipts(f *testing.F) {
	f.Add([]byte(`{"message_uuid":"a","status":"delivered","timestamp":"2026-11-30T06:00:00.000Z","sms":{"count_total":"1"}}`))
	f.Add([]byte(`{"message_uuid":"a","status":"rejected","error":{"type":"x#1240","title":1240},"usage":{"price":"0.1","currency":"EUR"}}`))
	g := withReceipts(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		header := map[string][]string{"Authorization": {vendorsSigner.Sign(body, now)}}
		gatewaytest.CheckReceipts(t, g, gateway.Post{Header: header, Body: body, Now: now})
	})
}
