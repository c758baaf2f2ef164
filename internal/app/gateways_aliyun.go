package app

import (
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/gateway/aliyun"
)

// aliyunSettings are what a block may hold; see [aliyun.Config].
func aliyunSettings() []string {
	return []string{"access_key_id", "access_key_secret", "sign", "template", "receipt_secret", "endpoint"}
}

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
