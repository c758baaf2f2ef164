package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/twilio"
)

// twilioSettings are what a block may hold; see [twilio.Config].
func twilioSettings() []string {
	return []string{
		"account_sid", "api_key_sid", "api_key_secret", "auth_token", "from", "messaging_service_sid", "validity_period",
		"receipt_token", "endpoint",
	}
}

func openTwilio(_ string, g config.Gateway) (gateway.Driver, error) {
	return twilio.Open(twilio.Config{
		AccountSID:          g.Settings["account_sid"],
		APIKeySID:           g.Settings["api_key_sid"],
		APIKeySecret:        g.Settings["api_key_secret"],
		AuthToken:           g.Settings["auth_token"],
		From:                g.Settings["from"].Reveal(),
		MessagingServiceSID: g.Settings["messaging_service_sid"].Reveal(),
		ValidityPeriod:      span(g.Settings["validity_period"]),
		ReceiptToken:        g.Settings["receipt_token"],
		ReceiptsURL:         g.ReceiptsURL,
		Endpoint:            g.Settings["endpoint"].Reveal(),
	})
}
