package aws

import (
	"context"
	"errors"
	"net"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/smithy-go"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// maxFetch bounds one request for credentials. It goes on when the send that wanted them has ended, since others wait for them too;
// a send itself waits no longer than its context.
const maxFetch = 10 * time.Second

// provider returns where the credentials come from. Those of the machine are fetched when they are needed first, kept, and fetched
// again before they expire.
func (c Config) provider() (sdk.CredentialsProvider, error) {
	if !c.AccessKeyID.IsZero() {
		return credentials.NewStaticCredentialsProvider(c.AccessKeyID.Reveal(), c.AccessKeySecret.Reveal(), c.SessionToken.Reveal()), nil
	}
	machine, err := config.LoadDefaultConfig(context.Background(),
		config.WithRegion(c.Region),
		config.WithDefaultsMode(sdk.DefaultsModeStandard), // with "auto", which the environment may say, it would ask the instance where it is
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTimeout(maxFetch)),
	)
	if err != nil || machine.Credentials == nil { // its text may hold what is in the files
		return nil, errors.New("the machine's configuration of AWS (AWS_PROFILE, ~/.aws/config and the like) can't be used; mend it, or set access_key_id and access_key_secret")
	}
	return machine.Credentials, nil
}

// Texts of what is wrong with the machine's credentials: the SDK's hold paths, addresses and what a source answers.
var (
	errNoKeys  = errors.New("there are no credentials: give the machine a role, or set access_key_id and access_key_secret")
	errNotNow  = errors.New("the source of the machine's credentials is out of reach")
	errTooLate = errors.New("the call ended before there were credentials")
)

// notCalled is a send that ended before there was a request: nothing has left.
func notCalled(err error) *gateway.Error {
	failed := func(reason gateway.Reason, cause error) *gateway.Error {
		return &gateway.Error{Reason: reason, Sent: gateway.NotSent, Err: cause}
	}
	var canceled *sdk.RequestCanceledError
	var answer smithy.APIError
	var network net.Error
	switch {
	case errors.As(err, &canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return failed(gateway.Temporary, errTooLate)
	case errors.As(err, &answer) && answer.ErrorFault() != smithy.FaultServer:
		return failed(gateway.Configuration, carrier.Unclear("the machine gets no credentials, see to its role: AWS says", answer.ErrorCode()).Err)
	case answer != nil, errors.As(err, &network):
		return failed(gateway.Temporary, errNotNow)
	}
	return failed(gateway.Configuration, errNoKeys)
}
