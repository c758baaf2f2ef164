package rehearsal

import (
	"net/http"

	"smsd/internal/gateway"
	"smsd/internal/gateway/twilio"
	"smsd/internal/gateway/twilio/twiliofake"
	"smsd/internal/secret"
)

var twilioSays = map[gateway.Reason]int{
	gateway.BadNumber: 21211,
	gateway.Throttled: 14107,
	gateway.Temporary: 20429,
}

// twilioTells are the codes of a message that was made and failed.
var twilioTells = map[gateway.Reason]string{
	gateway.BadNumber:     "30003",
	gateway.NoRoute:       "21612",
	gateway.Throttled:     "30450",
	gateway.Configuration: "30034",
	gateway.Temporary:     "30022",
	gateway.Ambiguous:     "30008",
	gateway.Content:       "30007",
}

func newTwilio() (vendor, error) {
	account, key, hidden, token := secret.New("AC00000000000000000000000000000001"), secret.New("SK00000000000000000000000000000001"), password(), password()
	fake := &twiliofake.Fake{AccountSID: account, User: key, Password: hidden}
	return vendor{
		open: func(url string) (driver, error) {
			return twilio.Open(twilio.Config{
				AccountSID: account, APIKeySID: key, APIKeySecret: hidden, From: "Rehearsal", ReceiptToken: token, ReceiptsURL: receiptsURL, Endpoint: url,
			})
		},
		carrier: func(decide func(call) gateway.Reason) http.Handler {
			return fake.With(func(m twiliofake.Message) int { return twilioSays[decide(twilioReports(m, account, token))] })
		},
	}, nil
}

// twilioReports is how the vendor reports on m, where it was told to. It does not say when something happened.
func twilioReports(m twiliofake.Message, account, token secret.Text) call {
	return func(said gateway.Receipt) *http.Request {
		return twiliofake.NewReceipt(m.StatusCallback, token, twiliofake.Report{
			AccountSID: account.Reveal(), SID: m.SID, Status: string(said.State), ErrorCode: word(twilioTells, said), To: m.To, From: m.From,
		})
	}
}
