package tencent

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// What zero settings stand for (cloud.tencent.com/document/api/382/55981, November 2026).
const (
	DefaultEndpoint = "sms.tencentcloudapi.com"
	DefaultRegion   = "ap-guangzhou"
)

// Config is what [Open] needs.
type Config struct {
	// SecretID and SecretKey are those of a CAM user that may call sms:SendSms. Required.
	SecretID, SecretKey secret.Text
	// AppID is the SmsSdkAppId of the application in the vendor's console, as 1400006666. Required.
	AppID string
	// Sign is the signature of messages whose template names none, as 示例科技, without brackets. Messages to the
	// mainland need one; for others it is optional.
	Sign string
	// SenderID is from whom messages to other countries come, if the vendor has granted one. Optional.
	SenderID string
	// Region is ap-guangzhou, ap-beijing, ap-nanjing or another that the vendor names; "": [DefaultRegion].
	Region string
	// Template is the template of messages that come without one, as 1110; of their values it gets the code alone.
	// Optional: without it such messages are not sent.
	Template string
	// ReceiptSecret is what stands in the path to which the vendor posts receipts: 16 to 128 letters, digits, - . _ or ~. Optional:
	// without it no receipt is believed.
	ReceiptSecret secret.Text
	// Endpoint is the host of the API; "": [DefaultEndpoint]. See [carrier.Endpoint].
	Endpoint string
	// Now is the clock; nil: the system's. The vendor refuses one that is off by more than 5 minutes.
	Now func() time.Time
}

// Gateway is a [gateway.Driver]. Safe for concurrent use; only [Open] makes one that works.
type Gateway struct {
	config   Config
	endpoint *url.URL
	client   *carrier.Client
}

var _ gateway.Driver = (*Gateway)(nil)

// Open returns a Gateway, or every fault of c at once, as [carrier.Faults]. It does not touch the network.
func Open(c Config) (*Gateway, error) {
	c.setDefaults()
	faults := carrier.Faults{}
	if c.SecretID.IsZero() {
		faults["secret_id"] = "must be given: the SecretId of a CAM user"
	}
	if c.SecretKey.IsZero() {
		faults["secret_key"] = "must be given: the SecretKey of a CAM user"
	}
	if c.AppID == "" || strings.Trim(c.AppID, "0123456789") != "" {
		faults["app_id"] = "must be given: the SDK AppID of the application in the console, as 1400006666"
	}
	if strings.Trim(c.Region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		faults["region"] = "must be a region, as ap-guangzhou"
	}
	if fault := carrier.SignFault(c.Sign); fault != "" {
		faults["sign"] = fault
	}
	if fault := carrier.PathSecretFault(c.ReceiptSecret); fault != "" {
		faults["receipt_secret"] = fault
	}
	endpoint, err := carrier.Endpoint(c.Endpoint)
	if err != nil {
		faults["endpoint"] = err.Error()
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return &Gateway{c, endpoint, carrier.New(carrier.Options{})}, nil
}

func (c *Config) setDefaults() {
	if c.Region == "" {
		c.Region = DefaultRegion
	}
	if c.Endpoint == "" {
		c.Endpoint = DefaultEndpoint
	}
	if c.Now == nil {
		c.Now = time.Now
	}
}

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	body, err := g.body(m)
	if err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: err}
	}
	answer, err := g.client.Do(ctx, carrier.Request{URL: g.endpoint.String(), Header: g.header("SendSms", body), Body: body})
	if err != nil {
		return gateway.Accepted{}, err
	}
	accepted, err := outcome(answer)
	// That receipts repeat the message's id is the vendor's favour, see report.
	accepted.ByProviderID = err == nil && !g.config.ReceiptSecret.IsZero()
	return accepted, err
}

// header returns that of a call, with the signature.
func (g *Gateway) header(action string, body []byte) http.Header {
	key := key{g.config.SecretID, g.config.SecretKey}
	h := key.header(call{g.endpoint.Host, "sms", action, "2021-01-11", body, g.config.Now()})
	h.Set("X-TC-Region", g.config.Region)
	return h
}

// Texts of what a message lacks.
var (
	errNoTemplate = errors.New("no template: this carrier sends only texts that it has approved; set code for this gateway in the policy's templates, or template of the gateway")
	errNoSign     = errors.New("no signature: messages to the Chinese mainland need one; set sign of the gateway, or of the template")
)
