package aws

import (
	"context"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// Config is what [Open] needs.
type Config struct {
	// Region is where the numbers and the limits of the account are, as eu-central-1. Required.
	Region string
	// AccessKeyID and AccessKeySecret are those of a user that may call sms-voice:SendTextMessage; SessionToken comes with keys
	// that expire. Without them the credentials are the machine's, in the order of every program of AWS: the environment, a web identity (EKS), a
	// profile, a container's (ECS, EKS), an instance's.
	AccessKeyID, AccessKeySecret, SessionToken secret.Text
	// From is who sends: a pool (which the vendor recommends), a number or a sender id, by its id, its name or its ARN. Optional:
	// without it the vendor chooses among what the account has.
	From string
	// ConfigurationSet and ProtectConfiguration are the vendor's, by name, id or ARN. Optional.
	ConfigurationSet, ProtectConfiguration string
	// MaxPrice is the most that a message may cost, all parts, in US dollars, as 0.25: up to two digits, a dot, up to five digits. Optional.
	MaxPrice string
	// TTL is how long a message may wait before it is handed to the carrier: whole seconds, 5 s to 72 h. 0: 72 h. As long as a
	// code lives is a good choice.
	TTL time.Duration
	// IndiaEntityID and IndiaTemplateID are those of the registration there (DLT), for messages to +91; the code of a message's own
	// template goes before the latter. Optional.
	IndiaEntityID, IndiaTemplateID string
	// ReceiptTopic is the topic of Amazon SNS through which events come, by its ARN, and ReceiptSecret what ends the address that it posts to.
	// Both or neither: without them no receipts are believed.
	ReceiptTopic  string
	ReceiptSecret secret.Text
	// Endpoint is the host of the API, as that of a VPC endpoint; "": the region's. See [carrier.Endpoint].
	Endpoint string
}

// Gateway is a [gateway.Driver]. Safe for concurrent use; only [Open] makes one that works.
type Gateway struct {
	config Config
	sms    *sms.Client
	client *carrier.Client
	topic  *topic // nil: no receipts
}

var _ gateway.Driver = (*Gateway)(nil)

// Open returns a Gateway, or every fault of c at once, as [carrier.Faults]. It does not touch the network. Without keys in c
// it reads the machine's environment and files of AWS.
func Open(c Config) (*Gateway, error) {
	faults := c.faults()
	endpoint := endpointOf(c, faults)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	provider, err := c.provider()
	if err != nil {
		return nil, err
	}
	client := carrier.New(carrier.Options{})
	return &Gateway{
		config: c,
		sms: sms.New(sms.Options{
			Region:       c.Region,
			BaseEndpoint: endpoint,
			Credentials:  provider,
			Retryer:      sdk.NopRetryer{}, // the router decides
		}),
		client: client,
		topic:  newTopic(c.ReceiptTopic, client),
	}, nil
}

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	w := &wire{client: g.client}
	out, err := g.sms.SendTextMessage(ctx, g.input(m), w.carry)
	switch {
	case w.err != nil:
		return gateway.Accepted{}, w.err
	case !w.used:
		return gateway.Accepted{}, notCalled(err)
	case err != nil:
		return gateway.Accepted{}, failure(w.answer, err)
	}
	return accepted(out)
}
