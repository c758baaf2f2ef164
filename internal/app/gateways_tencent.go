package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/tencent"
)

// tencentSettings are what a block may hold; see [tencent.Config].
func tencentSettings() []string {
	return []string{"secret_id", "secret_key", "app_id", "sign", "template", "sender_id", "region", "receipt_secret", "endpoint"}
}

func openTencent(_ string, g config.Gateway) (gateway.Driver, error) {
	return tencent.Open(tencent.Config{
		SecretID:      g.Settings["secret_id"],
		SecretKey:     g.Settings["secret_key"],
		AppID:         g.Settings["app_id"].Reveal(),
		Sign:          g.Settings["sign"].Reveal(),
		SenderID:      g.Settings["sender_id"].Reveal(),
		Region:        g.Settings["region"].Reveal(),
		Template:      g.Settings["template"].Reveal(),
		ReceiptSecret: g.Settings["receipt_secret"],
		Endpoint:      g.Settings["endpoint"].Reveal(),
	})
}
