package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/webhook"
)

// webhookSettings are what a block may hold; see [webhook.Config].
func webhookSettings() []string { return []string{"url", "secret", "allow_private"} }

func openWebhook(_ string, g config.Gateway) (gateway.Driver, error) {
	private, err := isTrue(g.Settings["allow_private"])
	if err != nil {
		return nil, carrier.Faults{"allow_private": err.Error()}
	}
	return webhook.Open(webhook.Config{URL: g.Settings["url"], Secrets: list(g.Settings["secret"]), AllowPrivate: private})
}
