package awsfake

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Topic is one of Amazon SNS that posts events to an address, and SNS as far as it has to be asked for that: it serves the certificate, and hears of
// a confirmation. Safe for concurrent use; only [NewTopic] makes one that works.
type Topic struct {
	// Fetched and Confirmed count calls.
	Fetched, Confirmed atomic.Int64

	arn  string
	key  *rsa.PrivateKey
	cert []byte // PEM
}

// Token is what a topic's question has for its answer.
const Token = "2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92"

const certificatePath = "/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"

// NewTopic returns a topic with a key and a certificate of its own, which is good around that time.
func NewTopic(arn string, at time.Time) (*Topic, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: at.Add(-24 * time.Hour), NotAfter: at.Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return &Topic{arn: arn, key: key, cert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

// Other returns another topic of the same SNS, as anybody can make one: it signs with the same key.
func (t *Topic) Other(arn string) *Topic { return &Topic{arn: arn, key: t.key, cert: t.cert} }

// Event is what became of a message.
type Event struct {
	Type, MessageID string
	Context         map[string]string
	IsFinal         bool
	Parts           int
	At              time.Time
}

// JSON returns e as End User Messaging writes it.
func (e Event) JSON() string {
	text, _ := json.Marshal(map[string]any{ // strings and numbers always can be
		"eventType": e.Type, "eventVersion": "1.0", "eventTimestamp": e.At.UnixMilli(), "isFinal": e.IsFinal,
		"originationPhoneNumber": "+12065550152", "destinationPhoneNumber": "+14255550156", "messageId": e.MessageID,
		"messageStatus": strings.TrimPrefix(e.Type, "TEXT_"), "context": e.Context, "totalMessageParts": e.Parts, "totalMessagePrice": 0.09582,
	})
	return string(text)
}

// Post returns the topic's call with a message, which is an event's JSON or anything else.
func (t *Topic) Post(url, message string, at time.Time) *http.Request {
	return t.post(url, map[string]string{"Type": "Notification", "Message": message}, at)
}

// Question returns the topic's first call: whether it may post there.
func (t *Topic) Question(url string, at time.Time) *http.Request {
	return t.post(url, map[string]string{
		"Type": "SubscriptionConfirmation", "Message": "You have chosen to subscribe", "Token": Token,
		"SubscribeURL": "https://sns.example.com/?Action=ConfirmSubscription",
	}, at)
}

func (t *Topic) post(url string, body map[string]string, at time.Time) *http.Request {
	region := strings.Split(t.arn, ":")[3]
	body["MessageId"] = "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324"
	body["TopicArn"] = t.arn
	body["Timestamp"] = at.UTC().Format("2006-01-02T15:04:05.000Z")
	body["Signature"] = t.sign(body)
	body["SignatureVersion"] = "2"
	body["SigningCertURL"] = "https://sns." + region + ".amazonaws.com" + certificatePath
	text, _ := json.Marshal(body)
	r, _ := http.NewRequest(http.MethodPost, url, bytes.NewReader(text)) // the address is the test's
	r.Header.Set("Content-Type", "text/plain; charset=UTF-8")
	r.Header.Set("X-Amz-Sns-Message-Type", body["Type"])
	return r
}

// signedNames are in the order in which they are signed; what a call lacks is left out.
var signedNames = []string{"Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"}

func (t *Topic) sign(body map[string]string) string {
	var text string
	for _, name := range signedNames {
		if value, has := body[name]; has {
			text += name + "\n" + value + "\n"
		}
	}
	digest := sha256.Sum256([]byte(text))
	signature, _ := rsa.SignPKCS1v15(nil, t.key, crypto.SHA256, digest[:]) // a key that was just made
	return base64.StdEncoding.EncodeToString(signature)
}

// ServeHTTP is SNS.
func (t *Topic) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch {
	case r.URL.Path == certificatePath:
		t.Fetched.Add(1)
		_, _ = w.Write(t.cert)
	case r.URL.Path == "/" && q.Get("Action") == "ConfirmSubscription" && q.Get("TopicArn") == t.arn && q.Get("Token") == Token:
		t.Confirmed.Add(1)
		fmt.Fprint(w, "<ConfirmSubscriptionResponse/>")
	default:
		http.Error(w, "<Error><Code>NotFound</Code></Error>", http.StatusNotFound)
	}
}
