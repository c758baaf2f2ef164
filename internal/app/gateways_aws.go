package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/aws"
)

// awsSettings are what a block may hold; see [aws.Config].
func awsSettings() []string {
	return []string{
		"region", "access_key_id", "access_key_secret", "session_token", "from", "configuration_set", "protect_configuration",
		"max_price", "ttl", "india_entity_id", "india_template_id", "receipt_topic", "receipt_secret", "endpoint",
	}
}

func openAWS(_ string, g config.Gateway) (gateway.Driver, error) {
	return aws.Open(aws.Config{
		Region:               g.Settings["region"].Reveal(),
		AccessKeyID:          g.Settings["access_key_id"],
		AccessKeySecret:      g.Settings["access_key_secret"],
		SessionToken:         g.Settings["session_token"],
		From:                 g.Settings["from"].Reveal(),
		ConfigurationSet:     g.Settings["configuration_set"].Reveal(),
		ProtectConfiguration: g.Settings["protect_configuration"].Reveal(),
		MaxPrice:             g.Settings["max_price"].Reveal(),
		TTL:                  span(g.Settings["ttl"]),
		IndiaEntityID:        g.Settings["india_entity_id"].Reveal(),
		IndiaTemplateID:      g.Settings["india_template_id"].Reveal(),
		ReceiptTopic:         g.Settings["receipt_topic"].Reveal(),
		ReceiptSecret:        g.Settings["receipt_secret"],
		Endpoint:             g.Settings["endpoint"].Reveal(),
	})
}
