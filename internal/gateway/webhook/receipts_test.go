package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/webhook"
	"smsd/internal/secret"
)

// reports opens a gateway whose receiver has the given secrets.
func reports(t *testing.T, secrets ...string) *webhook.Gateway {
	t.Helper()
	c := webhook.Config{URL: secret.New("https://sms.example.com/messages")}
	for _, s := range secrets {
		c.Secrets = append(c.Secrets, secret.New(s))
	}
	g, err := webhook.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// reportedBy is a call as a receiver signs it: with nothing of the driver's.
func reportedBy(t *testing.T, key string, at time.Time, body string) gateway.Post {
	t.Helper()
	id := fmt.Sprintf("report-%d", len(body))
	mac := hmac.New(sha256.New, keyOf(t, key))
	fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	return gateway.Post{Now: at, Body: []byte(body), Header: http.Header{
		"Webhook-Id": {id}, "Webhook-Timestamp": {fmt.Sprint(at.Unix())},
		"Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}}
}

func TestReceipts(t *testing.T) {
	t.Parallel()
	body := func(n int) string {
		return fmt.Sprintf(`{"type":"sms.receipt","timestamp":"2026-11-30T06:00:00Z","new":[1],"data":[
			{"id":"m%d","state":"delivered","at":"2026-11-30T06:00:00Z","segments":2,"cost_micros":45000,"currency":"EUR","more":{}},
			{"id":"n%d","state":"undelivered","reason":"bad_number","code":"MK:0001"},{"id":"o%d","state":"lost"},{"state":"delivered"}]}`, n, n, n)
	}
	gatewaytest.RunReceipts(t, gatewaytest.ReceiptHarness{
		Open: func(t *testing.T) gateway.ReceiptReader { return reports(t, vectorSecret) },
		Call: func(t *testing.T, n int, at time.Time) (gateway.Post, []gateway.Receipt) {
			return reportedBy(t, vectorSecret, at, body(n)), []gateway.Receipt{
				{MessageID: fmt.Sprint("m", n), State: gateway.Delivered, At: time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC), Segments: 2, CostMicros: 45_000, Currency: "EUR"},
				{MessageID: fmt.Sprint("n", n), State: gateway.Undelivered, Reason: gateway.BadNumber, Code: "MK:0001"},
			}
		},
		Stranger: func(t *testing.T, n int, at time.Time) gateway.Post { return reportedBy(t, newSecret, at, body(n)) },
		Bare: func(t *testing.T, body []byte, at time.Time) gateway.Post {
			return reportedBy(t, vectorSecret, at, string(body))
		},
		Signed:  gatewaytest.Signed{Body: true, Headers: []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"}},
		MaxAge:  5 * time.Minute,
		Secrets: []string{vectorSecret},
	})
}

// Each secret of a rotation signs, and one that is in it no more does not.
func TestReceiptsInRotation(t *testing.T) {
	t.Parallel()
	at := time.Unix(1796018400, 0)
	p := reportedBy(t, vectorSecret, at, `{"type":"sms.receipt","data":[]}`)
	p.Header["Webhook-Signature"][0] = "v1,AAAA v1a,BBBB " + p.Header["Webhook-Signature"][0]
	for name, c := range map[string]struct {
		secrets []string
		want    error
	}{
		"both": {[]string{newSecret, vectorSecret}, nil}, "the old one": {[]string{vectorSecret}, nil}, "the new one": {[]string{newSecret}, gateway.ErrForged},
	} {
		if _, err := reports(t, c.secrets...).Receipts(context.Background(), p); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	p.Header["Webhook-Signature"][0] = strings.Repeat("v1,AAAA ", 1000) + p.Header["Webhook-Signature"][0]
	if _, err := reports(t, vectorSecret).Receipts(context.Background(), p); !errors.Is(err, gateway.ErrForged) {
		t.Errorf("behind a thousand others: %v", err)
	}
}

// What is signed and no report is unreadable, or says nothing.
func TestReceiptsThatSayNothing(t *testing.T) {
	t.Parallel()
	g, at := reports(t, vectorSecret), time.Unix(1796018400, 0)
	for body, want := range map[string]error{
		"": gateway.ErrUnreadable, "{": gateway.ErrUnreadable, "[]": gateway.ErrUnreadable, `{"type":"sms.send","data":[]}`: gateway.ErrUnreadable,
		`{"type":"sms.receipt","data":{}}`: gateway.ErrUnreadable, `{"type":"sms.receipt","data":[{"id":7}]}`: gateway.ErrUnreadable,
		`{"type":"sms.receipt","data":` + strings.Repeat("[", 100_000): gateway.ErrUnreadable,
		`{"type":"sms.receipt"}`: nil, `{"type":"sms.receipt","data":[{"id":"","state":"delivered"}]}`: nil,
	} {
		got, err := g.Receipts(context.Background(), reportedBy(t, vectorSecret, at, body))
		if !errors.Is(err, want) || len(got) > 0 {
			t.Errorf("%.40q: %v, %v, want %v", body, got, err, want)
		}
	}
}
