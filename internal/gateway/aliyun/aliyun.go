package aliyun

import (
	"context"
	"errors"
	"net/url"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// DefaultEndpoint serves the Chinese mainland. Of the vendor's SDK for Go, 22 August 2026.
const DefaultEndpoint = "dysmsapi.aliyuncs.com"

// version is that of the API.
const version = "2017-05-25"

// Config is what [Open] needs.
type Config struct {
	// AccessKeyID and AccessKeySecret are those of a RAM user that may call dysms:SendSms. Required.
	AccessKeyID, AccessKeySecret secret.Text
	// Sign is the signature of messages whose template names none, as 示例科技, without brackets. Optional.
	Sign string
	// Template is the template of messages that come without one, as SMS_123456789; of their values it gets the code alone. Its one variable is called code.
	// Optional: without it such messages are not sent.
	Template string
	// ReceiptSecret is what stands in the path to which the vendor posts receipts: 16 to 128 letters, digits, - . _ or ~. Optional:
	// without it no receipt is believed.
	ReceiptSecret secret.Text
	// Endpoint is the host of the API, as dysmsapi.ap-southeast-1.aliyuncs.com; "": [DefaultEndpoint]. See [carrier.Endpoint].
	Endpoint string
	// Now is the clock; nil: the system's. The vendor refuses one that is off by more than 15 minutes.
	Now func() time.Time
}

// Gateway is a [gateway.Driver]. Safe for concurrent use; only [Open] makes one that works.
type Gateway struct {
	key      key
	sign     string
	template string
	endpoint *url.URL
	client   *carrier.Client
	now      func() time.Time

	receiptSecret secret.Text
}

var _ gateway.Driver = (*Gateway)(nil)

// Open returns a Gateway, or every fault of c at once, as [carrier.Faults]. It does not touch the network.
func Open(c Config) (*Gateway, error) {
	faults := carrier.Faults{}
	if c.AccessKeyID.IsZero() {
		faults["access_key_id"] = "must be given: the AccessKey ID of a RAM user"
	}
	if c.AccessKeySecret.IsZero() {
		faults["access_key_secret"] = "must be given: the AccessKey secret of a RAM user"
	}
	if fault := carrier.SignFault(c.Sign); fault != "" {
		faults["sign"] = fault
	}
	if fault := carrier.PathSecretFault(c.ReceiptSecret); fault != "" {
		faults["receipt_secret"] = fault
	}
	if c.Endpoint == "" {
		c.Endpoint = DefaultEndpoint
	}
	endpoint, err := carrier.Endpoint(c.Endpoint)
	if err != nil {
		faults["endpoint"] = err.Error()
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Gateway{
		key: key{c.AccessKeyID, c.AccessKeySecret}, sign: c.Sign, template: c.Template,
		endpoint: endpoint, client: carrier.New(carrier.Options{}), now: c.Now, receiptSecret: c.ReceiptSecret,
	}, nil
}

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	query, err := g.query(m)
	if err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: err}
	}
	to := *g.endpoint
	to.RawQuery = query
	header := g.key.header(call{to.Host, "SendSms", version, query, nonce(m.ID), g.now()})
	answer, err := g.client.Do(ctx, carrier.Request{URL: to.String(), Header: header})
	if err != nil {
		return gateway.Accepted{}, err
	}
	return outcome(answer)
}

// Texts of what a message lacks.
var (
	errNoTemplate = errors.New("no template: this carrier sends only texts that it has approved; set code for this gateway in the policy's templates, or template of the gateway")
	errNoSign     = errors.New("no signature: set sign of the gateway, or of the template")
	errNoName     = errors.New("a parameter of the template has no name, and this carrier takes them by name")
)
