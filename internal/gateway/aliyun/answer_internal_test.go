package aliyun

import (
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/gatewaytest"
)

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		reason gateway.Reason // "": accepted
		sent   gateway.Sent
	}{
		{200, `{"Message":"OK","RequestId":"F655","Code":"OK","BizId":"9006"}`, "", 0},
		{200, `{"Code":"OK"}`, "", 0},
		{500, `{"Code":"OK","BizId":"9006"}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Code":"isv.SOMETHING_NEW"}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Code":"isp.SYSTEM_ERROR"}`, gateway.Ambiguous, gateway.MaybeSent},
		{503, `{"Code":"ServiceUnavailable"}`, gateway.Ambiguous, gateway.MaybeSent},
		{400, `{"Code":"SignatureNonceUsed"}`, gateway.Ambiguous, gateway.MaybeSent},
		{200, `{"Code":"isv.AMOUNT_NOT_ENOUGH"}`, gateway.Configuration, gateway.NotSent},
		{200, `{"Code":"isv.SMS_SIGNATURE_ILLEGAL"}`, gateway.Configuration, gateway.NotSent},
		{200, `{"Code":"isv.BLACK_KEY_CONTROL_LIMIT"}`, gateway.BadNumber, gateway.NotSent},
		{200, `{"Code":"BLACK_KEY_CONTROL_LIMIT"}`, gateway.Content, gateway.NotSent},
		{400, `{"Code":"Throttling.User"}`, gateway.Temporary, gateway.NotSent},
		{200, `{"Code":"isv.BUSINESS_LIMIT_DAY","Message":"分钟"}`, gateway.Throttled, gateway.NotSent},
		{200, `{"Code":7}`, gateway.Ambiguous, gateway.MaybeSent},
	} {
		accepted, err := outcome(carrier.Answer{Status: c.status, Body: []byte(c.body)})
		if c.reason == "" {
			if err != nil || accepted.ProviderID != "" && accepted.ProviderID != "9006" {
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
	gatewaytest.Documented(t, "../../../docs/gateways.md", "Alibaba Cloud", reasons)
}

func FuzzOutcome(f *testing.F) {
	f.Add(200, `{"Message":"OK","Code":"OK","BizId":"9006"}`)
	f.Add(200, `{"Code":"isv.BUSINESS_LIMIT_CONTROL","Message":"触发小时级流控Permits:5"}`)
	f.Add(400, `{"Code":"SignatureDoesNotMatch","HostId":"dysmsapi.aliyuncs.com"}`)
	f.Add(502, "<html>")
	f.Add(200, `{"Code":"isv.493817 +8613800138000"}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		accepted, err := outcome(carrier.Answer{Status: status, Body: []byte(body)})
		if fault := gatewaytest.Judgement(status, accepted, err); fault != "" {
			t.Error(fault)
		}
	})
}
