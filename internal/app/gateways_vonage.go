package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/vonage"
)

// vonageSettings are what a block may hold; see [vonage.Config].
func vonageSettings() []string {
	return []string{"application_id", "private_key", "api_key", "api_secret", "from", "ttl", "signature_secret", "endpoint"}
}

func openVonage(_ string, g config.Gateway) (gateway.Driver, error) {
	return vonage.Open(vonage.Config{
		ApplicationID:   g.Settings["application_id"],
		PrivateKey:      g.Settings["private_key"],
		APIKey:          g.Settings["api_key"],
		APISecret:       g.Settings["api_secret"],
		From:            g.Settings["from"].Reveal(),
		TTL:             span(g.Settings["ttl"]),
		SignatureSecret: g.Settings["signature_secret"],
		ReceiptsURL:     g.ReceiptsURL,
		Endpoint:        g.Settings["endpoint"].Reveal(),
	})
}
