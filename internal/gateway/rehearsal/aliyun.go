package rehearsal

import (
	"net/http"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aliyun"
	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/secret"
)

// aliyunSays are the codes, and the words that tell the limit: 1 a minute.
var aliyunSays = map[gateway.Reason][2]string{
	"":                {"OK", "OK"},
	gateway.BadNumber: {"isv.MOBILE_NUMBER_ILLEGAL", "..."},
	gateway.Throttled: {"isv.BUSINESS_LIMIT_CONTROL", "触发分钟级流控Permits:1"},
	gateway.Temporary: {"Throttling.User", "..."},
}

func newAliyun() (vendor, error) {
	id, key := secret.New("LTAI-of-a-rehearsal"), password()
	fake := &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: key}
	return vendor{
		open: func(url string) (gateway.Driver, error) {
			return aliyun.Open(aliyun.Config{AccessKeyID: id, AccessKeySecret: key, Sign: "示例科技", Template: "SMS_100000001", Endpoint: url})
		},
		carrier: func(decide func() gateway.Reason) http.Handler {
			return fake.With(func(aliyunfake.Message) (string, string) {
				says := aliyunSays[decide()]
				return says[0], says[1]
			})
		},
	}, nil
}
