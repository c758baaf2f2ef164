package tencent

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/secret"
)

// The vendor's own example, whose key it prints as 32 asterisks and signs with: "Signature method v3",
// cloud.tencent.com/document/api/213/30654, November 2026.
func TestSignature(t *testing.T) {
	t.Parallel()
	stars := strings.Repeat("*", 32)
	h := key{secret.New("AKID" + stars), secret.New(stars)}.header(call{
		host: "cvm.tencentcloudapi.com", service: "cvm", action: "DescribeInstances", version: "2017-03-12",
		body: []byte(`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`),
		at:   time.Unix(1551113065, 0),
	})
	want := "TC3-HMAC-SHA256 Credential=AKID" + stars + "/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host;x-tc-action, " +
		"Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f"
	if got := h.Get("Authorization"); got != want {
		t.Errorf("Authorization is\n%s, want\n%s", got, want)
	}
}
