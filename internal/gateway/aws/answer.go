package aws

import (
	"errors"
	"strconv"

	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"
	"github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2/types"
	"github.com/aws/smithy-go"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// accepted reads an answer that the SDK takes for a success, which is any 2xx with JSON in it.
func accepted(out *sms.SendTextMessageOutput) (gateway.Accepted, error) {
	if out == nil || out.MessageId == nil || *out.MessageId == "" {
		return gateway.Accepted{}, carrier.Unclear("an answer without", "MessageId")
	}
	return gateway.Accepted{ProviderID: *out.MessageId}, nil
}

// unnamed is what the SDK calls an exception without a name: such an answer is not the vendor's.
const unnamed = "UnknownError"

// failure says what an answer means that is no success. The texts in it may hold the number, so they are not read.
func failure(a carrier.Answer, err error) *gateway.Error {
	exception, named := errors.AsType[smithy.APIError](err)
	switch {
	case !named || exception.ErrorCode() == unnamed:
		return a.Unclear("an answer that is not the carrier's own")
	case !a.Refuses():
		return carrier.Unclear("the carrier failed: "+strconv.Itoa(a.Status), exception.ErrorCode())
	}
	return refusal(a, exception)
}

// refusal reads a 4xx: the reason inside the exception counts, or else the exception.
func refusal(a carrier.Answer, exception smithy.APIError) *gateway.Error {
	code, fields := reasonOf(exception)
	reason, known := meaning(code, fields, exception.ErrorCode())
	switch {
	case !known:
		reason = a.Class()
	case reason == gateway.Ambiguous:
		return carrier.Untold(exception.ErrorCode())
	}
	if code == "" {
		code = exception.ErrorCode()
	}
	return carrier.Refused(reason, code)
}

// meaning looks up what the vendor says, the more exact first.
func meaning(code string, fields []string, exception string) (gateway.Reason, bool) {
	if reason := ofField(code, fields); reason != "" {
		return reason, true
	}
	if reason, known := codes[code]; known {
		return reason, true
	}
	reason, known := codes[exception]
	return reason, known
}

// reasonOf returns the reason inside an exception, "" if it has none, and the fields that it is about.
func reasonOf(exception smithy.APIError) (reason string, fields []string) {
	switch e := exception.(type) {
	case *types.AccessDeniedException:
		return string(e.Reason), nil
	case *types.ConflictException:
		return string(e.Reason), nil
	case *types.ServiceQuotaExceededException:
		return string(e.Reason), nil
	case *types.ValidationException:
		for _, f := range e.Fields {
			if f.Name != nil {
				fields = append(fields, *f.Name)
			}
		}
		return string(e.Reason), fields
	}
	return "", nil
}
