package aliyun

import (
	"net/url"
	"testing"
	"time"

	"smsd/internal/secret"
)

// The vendor's own example, with the key it prints: "V3 request structure and signature",
// help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature, 20 December 2024.
func TestSignature(t *testing.T) {
	t.Parallel()
	k := key{secret.New("YourAccessKeyId"), secret.New("YourAccessKeySecret")}
	h := k.header(call{
		host: "ecs.cn-shanghai.aliyuncs.com", action: "RunInstances", version: "2014-05-26",
		query: canonical(url.Values{"RegionId": {"cn-shanghai"}, "ImageId": {"win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd"}}),
		nonce: "3156853299f313e23d1673dc12e1703d",
		at:    time.Date(2023, 10, 26, 18, 22, 32, 0, time.FixedZone("", 8*3600)),
	})
	want := "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;" +
		"x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
	if got := h.Get("Authorization"); got != want {
		t.Errorf("Authorization is\n%s, want\n%s", got, want)
	}
}

// The same page: a blank is %20, an asterisk %2A, and a tilde itself.
func TestCanonical(t *testing.T) {
	t.Parallel()
	got := canonical(url.Values{"b": {"示例 +*~/"}, "a": {`{"code":"1"}`}})
	if want := "a=%7B%22code%22%3A%221%22%7D&b=%E7%A4%BA%E4%BE%8B%20%2B%2A~%2F"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for e164, want := range map[string]string{"+8613900001234": "13900001234", "+85200001234": "85200001234", "+12025550101": "12025550101", "+886912345678": "886912345678"} {
		if got := number(e164); got != want {
			t.Errorf("%s is %s, want %s", e164, got, want)
		}
	}
}
