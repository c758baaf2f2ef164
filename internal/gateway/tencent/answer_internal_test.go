package tencent

import (
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/gatewaytest"
)

// state and fault are the two forms of an answer.
func state(code string) string {
	return `{"Response":{"SendStatusSet":[{"SerialNo":"5000:1","PhoneNumber":"+8613900001234","Fee":1,"Code":"` + code + `"}],"RequestId":"a0aa"}}`
}

func fault(code string) string { return `{"Response":{"Error":{"Code":"` + code + `","Message":"x"}}}` }

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		reason gateway.Reason // "": accepted
		sent   gateway.Sent
	}{
		{200, state("Ok"), "", 0},
		{502, state("Ok"), gateway.Ambiguous, gateway.MaybeSent},
		{200, `{}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Response":{}}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Response":{"SendStatusSet":[]}}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Response":{"SendStatusSet":[{"Code":"Ok"},{"Code":"Ok"}]}}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Response":{"Error":{"Code":"AuthFailure"},"SendStatusSet":[{"Code":"Ok"}]}}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Response":[]}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, state("FailedOperation.SomethingNew"), gateway.Ambiguous, gateway.MaybeSent},
		{200, state("InternalError.Timeout"), gateway.Ambiguous, gateway.MaybeSent},
		{200, fault("InternalError"), gateway.Ambiguous, gateway.MaybeSent},
		{200, fault("Nobody.KnowsIt"), gateway.Ambiguous, gateway.MaybeSent},
		{200, fault(""), gateway.Ambiguous, gateway.MaybeSent},
		{200, fault("AuthFailure.SomethingNew"), gateway.Configuration, gateway.NotSent},
		{200, fault("RequestLimitExceeded.UinLimitExceeded"), gateway.Temporary, gateway.NotSent},
		{200, state("InternalError.RequestTimeException"), gateway.Configuration, gateway.NotSent},
		{200, state("UnauthorizedOperation.ServiceSuspendDueToArrears"), gateway.Configuration, gateway.NotSent},
		{200, state("LimitExceeded.AppDailyLimit"), gateway.Configuration, gateway.NotSent},
		{200, state("InvalidParameterValue.IncorrectPhoneNumber"), gateway.BadNumber, gateway.NotSent},
		{200, state("InvalidParameterValue.ContentLengthLimit"), gateway.Content, gateway.NotSent},
	} {
		accepted, err := outcome(carrier.Answer{Status: c.status, Body: []byte(c.body)})
		if c.reason == "" {
			if err != nil || accepted.ProviderID != "5000:1" {
				t.Errorf("%d %s: %+v, %v", c.status, c.body, accepted, err)
			}
			continue
		}
		if e, ok := err.(*gateway.Error); !ok || e.Reason != c.reason || e.Sent != c.sent {
			t.Errorf("%d %s: %v, want %s, %s", c.status, c.body, err, c.reason, c.sent)
		}
	}
}

// Every code stands in the users' manual with its reason, and has no wait but where it is a limit.
func TestCodes(t *testing.T) {
	t.Parallel()
	reasons := map[string]gateway.Reason{}
	for code, m := range codes {
		reasons[code] = m.reason
		if m.wait != 0 && m.reason != gateway.Throttled {
			t.Errorf("%s is %+v", code, m)
		}
	}
	gatewaytest.Documented(t, "../../../docs/gateways.md", "Tencent Cloud", reasons)
}

func FuzzOutcome(f *testing.F) {
	f.Add(200, state("Ok"))
	f.Add(200, state("LimitExceeded.PhoneNumberDailyLimit"))
	f.Add(200, fault("AuthFailure.SignatureFailure"))
	f.Add(502, "<html>")
	f.Add(200, `{"Response":{"SendStatusSet":[null]}}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		accepted, err := outcome(carrier.Answer{Status: status, Body: []byte(body)})
		if fault := gatewaytest.Judgement(status, accepted, err); fault != "" {
			t.Error(fault)
		}
	})
}
