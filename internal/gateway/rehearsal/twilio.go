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

func newTwilio() (vendor, error) {
	account, key, hidden := secret.New("AC00000000000000000000000000000001"), secret.New("SK00000000000000000000000000000001"), password()
	fake := &twiliofake.Fake{AccountSID: account, User: key, Password: hidden}
	return vendor{
		open: func(url string) (gateway.Driver, error) {
			return twilio.Open(twilio.Config{AccountSID: account, APIKeySID: key, APIKeySecret: hidden, From: "Rehearsal", Endpoint: url})
		},
		carrier: func(decide func() gateway.Reason) http.Handler {
			return fake.With(func(twiliofake.Message) int { return twilioSays[decide()] })
		},
	}, nil
}
