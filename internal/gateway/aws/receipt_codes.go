package aws

import "smsd/internal/gateway"

// eventTypes are those of texts (docs.aws.amazon.com/sms-voice/latest/userguide/configuration-sets-event-types.html, November 2026), with the reason of
// those that are failures.
var eventTypes = map[string]gateway.Reason{
	"TEXT_QUEUED":     "",
	"TEXT_PENDING":    "",
	"TEXT_SENT":       "",
	"TEXT_SUCCESSFUL": "", // a carrier took it
	"TEXT_DELIVERED":  "",

	"TEXT_BLOCKED":     gateway.BadNumber, // by the handset or the network
	"TEXT_INVALID":     gateway.BadNumber, // no such number
	"TEXT_UNREACHABLE": gateway.BadNumber, // switched off, or without a network

	"TEXT_CARRIER_BLOCKED": gateway.Content, // taken for fraud or abuse
	"TEXT_INVALID_MESSAGE": gateway.Content,
	"TEXT_SPAM":            gateway.Content,

	"TEXT_PROTECT_BLOCKED": gateway.Configuration, // by the account's protect configuration

	"TEXT_CARRIER_UNREACHABLE": gateway.Temporary,
	"TEXT_TTL_EXPIRED":         gateway.Temporary,

	"TEXT_UNKNOWN": gateway.Ambiguous,
}
