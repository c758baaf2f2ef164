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

// aliyunTells are the codes of reports.
var aliyunTells = map[gateway.Reason]string{
	gateway.BadNumber:     "MOBILE_NOT_ON_SERVICE",
	gateway.Throttled:     "MOBILE_SEND_LIMIT",
	gateway.Configuration: "SIGNATURE_BLACKLIST",
	gateway.NoRoute:       "NO_ROUTE",
	gateway.Temporary:     "IS_CLOSE",
	gateway.Ambiguous:     "SP_UNKNOWN_ERROR",
	gateway.Content:       "CONTENT_KEYWORD",
}

func newAliyun() (vendor, error) {
	id, key, behind := secret.New("LTAI-of-a-rehearsal"), password(), password()
	fake := &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: key}
	return vendor{
		open: func(url string) (driver, error) {
			return aliyun.Open(aliyun.Config{AccessKeyID: id, AccessKeySecret: key, Sign: "示例科技", Template: "SMS_100000001", ReceiptSecret: behind, Endpoint: url})
		},
		carrier: func(decide func(call) gateway.Reason) http.Handler {
			return fake.With(func(m aliyunfake.Message) (string, string) {
				says := aliyunSays[decide(aliyunReports(m, behind))]
				return says[0], says[1]
			})
		},
	}, nil
}

// aliyunReports is how the vendor reports on m, to an address that ends in a secret.
func aliyunReports(m aliyunfake.Message, behind secret.Text) call {
	return func(said gateway.Receipt) *http.Request {
		return aliyunfake.NewReceipts(receiptsURL+"/"+behind.Reveal(), aliyunfake.Report{
			OutID: m.OutID, BizID: m.BizID, PhoneNumber: m.PhoneNumbers, Code: word(aliyunTells, said), Parts: said.Segments, At: said.At,
		})
	}
}
