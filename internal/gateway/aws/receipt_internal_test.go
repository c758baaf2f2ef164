package aws

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aws/awsfake"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/secret"
)

const (
	arn        = "arn:aws:sns:eu-central-1:111122223333:sms-events"
	pathSecret = "9f2c4e61a7b84d03"
	address    = "https://sms.example.com/api/v1/gateways/aws/receipts/" + pathSecret
)

var noon = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

// listening returns a gateway that hears of the topic, which stands for SNS in its region.
func listening(t testing.TB, topic *awsfake.Topic) *Gateway {
	t.Helper()
	sns := httptest.NewServer(topic)
	t.Cleanup(sns.Close)
	g, err := Open(Config{Region: "eu-central-1", AccessKeyID: secret.New("AKIAFAKE01"), AccessKeySecret: secret.New("T0KEN01"),
		ReceiptTopic: arn, ReceiptSecret: secret.New(pathSecret)})
	if err != nil {
		t.Fatal(err)
	}
	g.topic.base = sns.URL
	return g
}

func newTopicOf(t testing.TB, arn string) *awsfake.Topic {
	t.Helper()
	topic, err := awsfake.NewTopic(arn, noon)
	if err != nil {
		t.Fatal(err)
	}
	return topic
}

func TestReceiptsConformance(t *testing.T) {
	t.Parallel()
	topic := newTopicOf(t, arn)
	stranger := topic.Other(strings.Replace(arn, "sms", "other", 1))
	call := func(t *testing.T, from *awsfake.Topic, n int, at time.Time) (gateway.Post, []gateway.Receipt) {
		id, provider := fmt.Sprintf("AAECAwQFBgcICQoLDA0ODxAREhMUFR%02d", n), fmt.Sprintf("862a8790-60c0-4430-9b2b-%012d", n)
		e := awsfake.Event{Type: "TEXT_DELIVERED", MessageID: provider, Context: map[string]string{contextID: id}, IsFinal: true, Parts: 2, At: at}
		return gatewaytest.PostOf(t, from.Post(address, e.JSON(), at), pathSecret, at),
			[]gateway.Receipt{{MessageID: id, ProviderID: provider, State: gateway.Delivered, At: at, Segments: 2}}
	}
	gatewaytest.RunReceipts(t, gatewaytest.ReceiptHarness{
		Open: func(t *testing.T) gateway.ReceiptReader { return listening(t, topic) },
		Call: func(t *testing.T, n int, at time.Time) (gateway.Post, []gateway.Receipt) {
			return call(t, topic, n, at)
		},
		Stranger: func(t *testing.T, n int, at time.Time) gateway.Post {
			p, _ := call(t, stranger, n, at)
			return p
		},
		Bare: func(t *testing.T, body []byte, at time.Time) gateway.Post {
			return gatewaytest.PostOf(t, topic.Post(address, string(body), at), pathSecret, at)
		},
		Signed:  gatewaytest.Signed{Body: true, Secret: true},
		Secrets: []string{"AKIAFAKE01", "T0KEN01", pathSecret},
	})
}

// What each event says of a message.
func TestEvents(t *testing.T) {
	t.Parallel()
	topic := newTopicOf(t, arn)
	g := listening(t, topic)
	for _, c := range []struct {
		kind   string
		final  bool
		state  gateway.ReceiptState // "": nothing
		reason gateway.Reason
	}{
		{"TEXT_QUEUED", false, gateway.UnderWay, ""},
		{"TEXT_SUCCESSFUL", false, gateway.UnderWay, ""},
		{"TEXT_SUCCESSFUL", true, gateway.Delivered, ""},
		{"TEXT_DELIVERED", true, gateway.Delivered, ""},
		{"TEXT_CARRIER_UNREACHABLE", false, gateway.UnderWay, ""},
		{"TEXT_CARRIER_UNREACHABLE", true, gateway.Undelivered, gateway.Temporary},
		{"TEXT_SPAM", true, gateway.Undelivered, gateway.Content},
		{"TEXT_INVALID", true, gateway.Undelivered, gateway.BadNumber},
		{"TEXT_PROTECT_BLOCKED", true, gateway.Undelivered, gateway.Configuration},
		{"TEXT_UNKNOWN", true, gateway.Undelivered, gateway.Ambiguous},
		{"VOICE_COMPLETED", true, "", ""},
	} {
		e := awsfake.Event{Type: c.kind, MessageID: "862a", IsFinal: c.final, At: noon}
		got, err := g.Receipts(t.Context(), gatewaytest.PostOf(t, topic.Post(address, e.JSON(), noon), pathSecret, noon))
		want := []gateway.Receipt{{ProviderID: "862a", State: c.state, Reason: c.reason, At: noon}}
		if c.reason != "" {
			want[0].Code = c.kind
		}
		if c.state == "" {
			want = nil
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s, final %v: %+v, %v; want %+v", c.kind, c.final, got, err, want)
		}
	}
	if n := topic.Fetched.Load(); n != 1 {
		t.Errorf("the certificate was fetched %d times", n)
	}
}

// Whether a topic may post here is answered at an address that is made here, and only to the topic of the settings.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	topic := newTopicOf(t, arn)
	g := listening(t, topic)
	got, err := g.Receipts(t.Context(), gatewaytest.PostOf(t, topic.Question(address, noon), pathSecret, noon))
	if err != nil || len(got) != 0 || topic.Confirmed.Load() != 1 {
		t.Errorf("%v, %v, confirmed %d times", got, err, topic.Confirmed.Load())
	}
	stranger := topic.Other(strings.Replace(arn, "sms", "other", 1))
	if _, err := g.Receipts(t.Context(), gatewaytest.PostOf(t, stranger.Question(address, noon), pathSecret, noon)); !errors.Is(err, gateway.ErrForged) {
		t.Errorf("%v", err)
	}
	forged := newTopicOf(t, arn) // the same name, another key
	if _, err := g.Receipts(t.Context(), gatewaytest.PostOf(t, forged.Question(address, noon), pathSecret, noon)); !errors.Is(err, gateway.ErrForged) {
		t.Errorf("%v", err)
	}
	if topic.Confirmed.Load() != 1 {
		t.Error("a stranger's question was answered")
	}
}

// Certificates come from SNS in the topic's region and from nowhere else, and nobody without the secret makes this ask for one.
func TestCertificates(t *testing.T) {
	t.Parallel()
	topic := newTopicOf(t, arn)
	g := listening(t, topic)
	good := gatewaytest.PostOf(t, topic.Post(address, awsfake.Event{Type: "TEXT_DELIVERED", MessageID: "1", At: noon}.JSON(), noon), pathSecret, noon)
	const home = "https://sns.eu-central-1.amazonaws.com"
	for _, c := range [][2]string{
		{"SigningCertURL", "https://sns.eu-central-1.amazonaws.com.example.com/SimpleNotificationService-0.pem"},
		{"SigningCertURL", "https://example.com/SimpleNotificationService-0.pem"},
		{"SigningCertURL", "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem"},
		{"SigningCertURL", "http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem"},
		{"SigningCertURL", home + "@example.com/SimpleNotificationService-0.pem"},
		{"SigningCertURL", home + "/SimpleNotificationService-0.pem?x=/../y"},
		{"SigningCertURL", home + "/../x.pem"},
		{"SignatureVersion", "1"},
		{"SignatureVersion", ""},
		{"Signature", "AAAA"},
		{"TopicArn", arn + "2"},
	} {
		changed, with := c[0], c[1]
		var body map[string]string
		if err := json.Unmarshal(good.Body, &body); err != nil {
			t.Fatal(err)
		}
		body[changed] = with
		p := good
		p.Body, _ = json.Marshal(body)
		if _, err := g.Receipts(t.Context(), p); !errors.Is(err, gateway.ErrForged) {
			t.Errorf("%s %s: %v", changed, with, err)
		}
	}
	p := good
	p.Secret = "another"
	if _, err := g.Receipts(t.Context(), p); !errors.Is(err, gateway.ErrForged) {
		t.Errorf("%v", err)
	}
	if n := topic.Fetched.Load(); n != 0 {
		t.Errorf("the certificate was fetched %d times for calls that are forged", n)
	}
	good.Now = noon.Add(25 * time.Hour)
	if _, err := g.Receipts(t.Context(), good); !errors.Is(err, gateway.ErrForged) {
		t.Errorf("by a certificate that has ended: %v", err)
	}
	g.topic.base = "http://127.0.0.1:1"
	g.topic.keys = keyring{}
	if _, err := g.Receipts(t.Context(), good); !errors.Is(err, gateway.ErrUnreadable) {
		t.Errorf("without a certificate: %v", err) // so that SNS comes again
	}
}

// Without the settings nobody is believed.
func TestNoReceiptsWithoutATopic(t *testing.T) {
	t.Parallel()
	g, err := Open(Config{Region: "eu-central-1", AccessKeyID: secret.New("A"), AccessKeySecret: secret.New("B")})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", pathSecret} {
		if _, err := g.Receipts(t.Context(), gateway.Post{Secret: path, Body: []byte(`{"TopicArn": ""}`)}); !errors.Is(err, gateway.ErrForged) {
			t.Errorf("%v", err)
		}
	}
}

// The keyring has an end, and may be used by many at once.
func TestKeyring(t *testing.T) {
	t.Parallel()
	var k keyring
	var all sync.WaitGroup
	for i := range 3 * maxCertificates {
		all.Go(func() { k.put(fmt.Sprint(i), nil); k.get(fmt.Sprint(i)) })
	}
	all.Wait()
	if n := len(k.certificates); n == 0 || n > maxCertificates {
		t.Errorf("%d certificates are kept", n)
	}
}

// The table for users is that of the driver.
func TestEventTypesInTheManual(t *testing.T) {
	t.Parallel()
	failures := map[string]gateway.Reason{}
	for code, reason := range eventTypes {
		if reason != "" {
			failures[code] = reason
		}
	}
	gatewaytest.DocumentedReceipts(t, "../../../docs/gateways.md", "AWS", failures)
}

func FuzzReceipts(f *testing.F) {
	topic := newTopicOf(f, arn)
	g := listening(f, topic)
	f.Add(awsfake.Event{Type: "TEXT_DELIVERED", MessageID: "1", At: noon}.JSON())
	f.Add(`{"eventTimestamp": -1, "messageId": "1", "totalMessageParts": "x", "eventType": "TEXT_SPAM", "isFinal": true}`)
	f.Fuzz(func(t *testing.T, message string) {
		gatewaytest.CheckReceipts(t, g, gatewaytest.PostOf(t, topic.Post(address, message, noon), pathSecret, noon))
	})
}
