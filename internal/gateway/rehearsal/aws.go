package rehearsal

import (
	"net/http"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aws"
	"smsd/internal/gateway/aws/awsfake"
	"smsd/internal/secret"
)

// awsSays has the account's pace for a number that has had enough: the vendor names no limit on one number.
var awsSays = map[gateway.Reason]awsfake.Refusal{
	gateway.BadNumber: {Exception: "ConflictException", Reason: "DESTINATION_PHONE_NUMBER_OPTED_OUT"},
	gateway.Throttled: {Exception: "ThrottlingException"},
	gateway.Temporary: {Exception: "ThrottlingException"},
}

// newAWS makes no calls of its own about messages: they come with a certificate of Amazon's, which nobody else can make.
func newAWS() (vendor, error) {
	const region = "eu-central-1"
	id, key := secret.New("AKIAREHEARSAL"), password()
	fake := &awsfake.Fake{Region: region, AccessKeyID: id, AccessKeySecret: key}
	return vendor{
		open: func(url string) (driver, error) {
			return aws.Open(aws.Config{Region: region, AccessKeyID: id, AccessKeySecret: key, Endpoint: url})
		},
		carrier: func(decide func(call) gateway.Reason) http.Handler {
			return fake.With(func(awsfake.Message) awsfake.Refusal { return awsSays[decide(nil)] })
		},
	}, nil
}
