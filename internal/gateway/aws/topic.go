package aws

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// notification is what a topic posts (docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html, November 2026).
type notification struct {
	Type           string
	MessageID      string `json:"MessageId"`
	TopicARN       string `json:"TopicArn"`
	Subject        *string
	Message        string
	Timestamp      string
	Token          string
	SubscribeURL   string
	Version        string `json:"SignatureVersion"`
	Signature      string
	SigningCertURL string
}

const confirmation = "SubscriptionConfirmation"

// text is what is signed (sns-verify-signature-of-message.html there, November 2026): names and values, a line each, in the order of the names.
func (n notification) text() string {
	var b strings.Builder
	line := func(name, value string) { b.WriteString(name + "\n" + value + "\n") }
	line("Message", n.Message)
	line("MessageId", n.MessageID)
	switch {
	case n.Type != "Notification":
		line("SubscribeURL", n.SubscribeURL)
	case n.Subject != nil:
		line("Subject", *n.Subject)
	}
	line("Timestamp", n.Timestamp)
	if n.Type != "Notification" {
		line("Token", n.Token)
	}
	line("TopicArn", n.TopicARN)
	line("Type", n.Type)
	return b.String()
}

// topic is the one whose posts are believed. Safe for concurrent use.
type topic struct {
	arn    string
	home   string // of Amazon SNS in the topic's region: https://sns.REGION.amazonaws.com
	base   string // where home is reached, which is another address in tests alone
	client *carrier.Client
	keys   keyring
}

// topicARN has the region in it. Regions in China have another domain, and no texts.
var topicARN = regexp.MustCompile(`^arn:aws(?:-us-gov)?:sns:([a-z0-9-]{1,32}):[0-9]{12}:[A-Za-z0-9_-]{1,256}$`)

func newTopic(arn string, client *carrier.Client) *topic {
	found := topicARN.FindStringSubmatch(arn)
	if found == nil {
		return nil
	}
	home := "https://sns." + found[1] + ".amazonaws.com"
	return &topic{arn: arn, home: home, base: home, client: client}
}

// signed sees that n is the topic's, by the version of the signature that uses SHA-256.
func (t *topic) signed(ctx context.Context, n notification, now time.Time) error {
	if n.Version != "2" {
		return fmt.Errorf("%w: it is not signed by SignatureVersion 2, which is to be set for the topic", gateway.ErrForged)
	}
	signature, err := base64.StdEncoding.DecodeString(n.Signature)
	if err != nil || len(signature) < 128 || len(signature) > 1024 { // keys of 1,024 to 8,192 bits
		return fmt.Errorf("%w: there is no signature", gateway.ErrForged)
	}
	key, err := t.key(ctx, n.SigningCertURL, now)
	if err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(n.text()))
	if rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) != nil {
		return fmt.Errorf("%w: the signature is wrong", gateway.ErrForged)
	}
	return nil
}

// token is what a topic's question has for its answer.
var token = regexp.MustCompile(`^[A-Za-z0-9]{1,512}$`)

// confirm tells SNS that the topic may post here: ConfirmSubscription, which needs no credentials beside the token. The address that came
// with the question is not followed.
func (t *topic) confirm(ctx context.Context, n notification) error {
	if !token.MatchString(n.Token) {
		return gateway.ErrUnreadable
	}
	query := url.Values{"Action": {"ConfirmSubscription"}, "Version": {"2010-03-31"}, "TopicArn": {t.arn}, "Token": {n.Token}}
	answer, err := t.client.Do(ctx, carrier.Request{Method: http.MethodGet, URL: t.base + "/?" + query.Encode()})
	if err != nil || !answer.OK() {
		return fmt.Errorf("%w: the subscription could not be confirmed now", gateway.ErrUnreadable)
	}
	return nil
}
