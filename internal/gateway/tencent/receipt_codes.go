package tencent

import (
	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// receiptCodes are those of reports: the words are all of tencentcloud.com/document/product/382/35462, the numbers some of
// cloud.tencent.com/document/product/382/3771, both of November 2026. Networks have codes of their own, by the thousand: of these nobody can
// tell why.
var receiptCodes = map[string]gateway.Reason{
	"UNDELIV": gateway.BadNumber, // switched off, out of service, or otherwise out of reach
	"EXPIRED": gateway.BadNumber, // the handset did not take it in time
	"DELETED": gateway.BadNumber, // the handset
	"SUBFAIL": gateway.BadNumber, // refused by the network, for its format for example
	"002":     gateway.BadNumber, // switched off, out of service, out of reach

	"REJECTD": gateway.Content, // a word, or a text or sender that was not registered
	"-106":    gateway.Content, // a word

	"COMFAIL": gateway.Temporary, // the connection to the network
	"WTNFAIL": gateway.Temporary,

	"UNKNOWN": gateway.Ambiguous,
}

// whyUndelivered returns the reason of a code, and the code as it may be told.
func whyUndelivered(code string) (gateway.Reason, string) {
	if reason, known := receiptCodes[code]; known {
		return reason, code
	}
	return gateway.Ambiguous, carrier.Told(code)
}
