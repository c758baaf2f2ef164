package aliyun

import (
	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// receiptCodes are those of reports, beside the ones that answers have too. They are the rows of the vendor's page on them,
// document_detail/101347.html, of which the part that repeats the codes of answers was read there (November 2026), and the others in programs
// that list them; SIGNATURE_BLACKLIST is of an earlier state of it. Networks have codes of their own, by
// the thousand: of these nobody can tell why.
var receiptCodes = map[string]gateway.Reason{
	"MOBILE_NOT_ON_SERVICE":   gateway.BadNumber, // out of service, unknown, switched off, out of reach
	"MOBILE_ACCOUNT_ABNORMAL": gateway.BadNumber, // no credit, ported
	"MOBILE_IN_BLACK":         gateway.BadNumber, // opted out, or on a network's list
	"MOBLLE_TERMINAL_ERROR":   gateway.BadNumber, // the handset; the vendor's own spelling
	"INVALID_NUMBER":          gateway.BadNumber,
	"USER_REJECT":             gateway.BadNumber, // opted out
	"SP_NOT_BY_INTER_SMS":     gateway.BadNumber, // the subscription takes no messages from abroad

	"MOBILE_SEND_LIMIT": gateway.Throttled, // by the day or the month, on the number

	"CONTENT_KEYWORD": gateway.Content,
	"CONTENT_ERROR":   gateway.Content,

	"PARAMS_ILLEGAL":      gateway.Configuration,
	"SIGNATURE_BLACKLIST": gateway.Configuration,

	"IS_CLOSE": gateway.Temporary, // the channel was shut down

	"NO_ROUTE": gateway.NoRoute,

	"REQUEST_SUCCESS":  gateway.Ambiguous, // the network has said nothing
	"SP_UNKNOWN_ERROR": gateway.Ambiguous,
}

// whyUndelivered returns the reason of a code, and the code as it may be told.
func whyUndelivered(code string) (gateway.Reason, string) {
	if reason, known := receiptCodes[code]; known {
		return reason, code
	}
	if m, known := codes[code]; known {
		return m.reason, code
	}
	return gateway.Ambiguous, carrier.Told(code)
}
