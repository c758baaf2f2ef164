package aliyun

import (
	"testing"

	"smsd/internal/gateway/gatewaytest"
)

func TestCodesOfReceiptsAreDocumented(t *testing.T) {
	t.Parallel()
	gatewaytest.DocumentedReceipts(t, "../../../docs/gateways.md", "Alibaba Cloud", receiptCodes)
}
