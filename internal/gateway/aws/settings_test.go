package aws_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway/aws"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

const topic = "arn:aws:sns:eu-central-1:111122223333:sms-events"

var inPath = secret.New("9f2c4e61a7b84d03")

// Every fault of the settings at once, and none with what was given.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spoil func(*aws.Config)
		want  []string
	}{
		{func(c *aws.Config) { c.Region = "" }, []string{"region"}},
		{func(c *aws.Config) { c.Region = "T0KEN" }, []string{"region"}},
		{func(c *aws.Config) { c.Region = "eu-central-1.T0KEN.example/" }, []string{"region"}},
		{func(c *aws.Config) { c.Region = "us-gov-west-1" }, nil},
		{func(c *aws.Config) { c.Region = "ap-southeast-6" }, nil},
		{func(c *aws.Config) { c.AccessKeySecret = secret.Text{} }, []string{"access_key_secret"}},
		{func(c *aws.Config) { c.AccessKeyID = secret.Text{} }, []string{"access_key_id"}},
		{func(c *aws.Config) { *c = aws.Config{Region: home, SessionToken: token} }, []string{"session_token"}},
		{func(c *aws.Config) { c.From = "Acme T0KEN" }, []string{"from"}},
		{func(c *aws.Config) { c.From = "arn:aws:sms-voice:eu-central-1:111122223333:pool/pool-1" }, nil},
		{func(c *aws.Config) { c.ConfigurationSet = "T0KEN+" }, []string{"configuration_set"}},
		{func(c *aws.Config) { c.ProtectConfiguration = "T0KEN+" }, []string{"protect_configuration"}},
		{func(c *aws.Config) { c.MaxPrice = "1" }, []string{"max_price"}},
		{func(c *aws.Config) { c.MaxPrice = ".00645" }, nil},
		{func(c *aws.Config) { c.TTL = 4 * time.Second }, []string{"ttl"}},
		{func(c *aws.Config) { c.TTL = -time.Second }, []string{"ttl"}},
		{func(c *aws.Config) { c.TTL = 1500 * time.Millisecond * 5 }, []string{"ttl"}},
		{func(c *aws.Config) { c.TTL = 72*time.Hour + time.Second }, []string{"ttl"}},
		{func(c *aws.Config) { c.TTL = 72 * time.Hour }, nil},
		{func(c *aws.Config) { c.IndiaEntityID, c.IndiaTemplateID = "T0KEN 1", strings.Repeat("1", 65) }, []string{"india_entity_id", "india_template_id"}},
		{func(c *aws.Config) { c.ReceiptTopic = topic }, []string{"receipt_secret"}},
		{func(c *aws.Config) { c.ReceiptSecret = inPath }, []string{"receipt_topic"}},
		{func(c *aws.Config) { c.ReceiptTopic, c.ReceiptSecret = "arn:aws:sns:T0KEN/x:1:y", inPath }, []string{"receipt_topic"}},
		{func(c *aws.Config) { c.ReceiptTopic, c.ReceiptSecret = topic, token }, []string{"receipt_secret"}},
		{func(c *aws.Config) { c.ReceiptTopic, c.ReceiptSecret = topic, inPath }, nil},
		{func(c *aws.Config) { c.Endpoint = "http://T0KEN.example.com" }, []string{"endpoint"}},
		{func(c *aws.Config) { c.Endpoint = "vpce-1.sms-voice.eu-central-1.vpce.amazonaws.com" }, nil},
		{func(c *aws.Config) {
			*c = aws.Config{AccessKeyID: token, From: " ", MaxPrice: "T0KEN", TTL: 1, Endpoint: "https://T0KEN/x"}
		}, []string{"access_key_secret", "endpoint", "from", "max_price", "region", "ttl"}},
	} {
		config := aws.Config{Region: home, AccessKeyID: id, AccessKeySecret: hidden, From: "pool-1"}
		c.spoil(&config)
		_, err := aws.Open(config)
		found, _ := errors.AsType[carrier.Faults](err)
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, c.want) || strings.Contains(fmt.Sprint(err), "T0KEN") {
			t.Errorf("%v, want faults of %q", err, c.want)
		}
	}
}
