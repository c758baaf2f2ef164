package rehearsal

import (
	"math/rand/v2"
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

// tencentTells are the codes of reports.
var tencentTells = map[gateway.Reason]string{
	gateway.BadNumber: "UNDELIV",
	gateway.Temporary: "COMFAIL",
	gateway.Ambiguous: "UNKNOWN",
	gateway.Content:   "REJECTD",
}

// newTencent has serials of its own: receipts name the message by nothing else, and the messages of an earlier process are in the records.
func newTencent() (vendor, error) {
	id, key, behind := secret.New("AKID-of-a-rehearsal"), password(), password()
	fake := &tencentfake.Fake{SecretID: id, SecretKey: key, Serial: rand.Int64N(1 << 62)}
	return vendor{
		open: func(url string) (driver, error) {
			return tencent.Open(tencent.Config{
				SecretID: id, SecretKey: key, AppID: "1400000001", Sign: "示例科技", Template: "1001", ReceiptSecret: behind, Endpoint: url,
			})
		},
		carrier: func(decide func(call) gateway.Reason) http.Handler {
			return fake.With(func(m tencentfake.Message) (string, string) {
				return tencentSays[decide(tencentReports(m, behind))], "..."
			})
		},
	}, nil
}

// tencentReports is how the vendor reports on m, to an address that ends in a secret. As for most accounts, it repeats nothing of what it was sent.
func tencentReports(m tencentfake.Message, behind secret.Text) call {
	return func(said gateway.Receipt) *http.Request {
		return tencentfake.NewReceipts(receiptsURL+"/"+behind.Reveal(), tencentfake.Report{
			SerialNo: m.SerialNo, Mobile: m.PhoneNumberSet[0], Code: word(tencentTells, said), At: said.At,
		})
	}
}
