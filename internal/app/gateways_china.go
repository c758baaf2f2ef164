package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/aliyun"
	"smsd/internal/gateway/tencent"
)

func openAliyun(_ string, g config.Gateway) (gateway.Driver, error) {
	return aliyun.Open(aliyun.Config{
		AccessKeyID:     g.Settings["access_key_id"],
		AccessKeySecret: g.Settings["access_key_secret"],
		Sign:            g.Settings["sign"].Reveal(),
		Template:        g.Settings["template"].Reveal(),
		ReceiptSecret:   g.Settings["receipt_secret"],
		Endpoint:        g.Settings["endpoint"].Reveal(),
	})
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
