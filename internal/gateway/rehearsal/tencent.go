package rehearsal

import (
	"net/http"

	"smsd/internal/gateway"
	"smsd/internal/gateway/tencent"
	"smsd/internal/gateway/tencent/tencentfake"
	"smsd/internal/secret"
)

var tencentSays = map[gateway.Reason]string{
	"":                "Ok",
	gateway.BadNumber: "InvalidParameterValue.IncorrectPhoneNumber",
	gateway.Throttled: "LimitExceeded.PhoneNumberThirtySecondLimit",
	gateway.Temporary: "LimitExceeded.GlobalSmsSendingRateLimit",
}

func newTencent() (vendor, error) {
	id, key := secret.New("AKID-of-a-rehearsal"), password()
	fake := &tencentfake.Fake{SecretID: id, SecretKey: key}
	return vendor{
		open: func(url string) (gateway.Driver, error) {
			return tencent.Open(tencent.Config{SecretID: id, SecretKey: key, AppID: "1400000001", Sign: "示例科技", Template: "1001", Endpoint: url})
		},
		carrier: func(decide func() gateway.Reason) http.Handler {
			return fake.With(func(tencentfake.Message) (string, string) { return tencentSays[decide()], "..." })
		},
	}, nil
}
