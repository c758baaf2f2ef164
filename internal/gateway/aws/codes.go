package aws

import (
	"strings"

	"smsd/internal/gateway"
)

// codes are the vendor's exceptions, and the reasons that stand inside some of them, as far as they can concern a send
// (docs.aws.amazon.com/pinpoint/latest/apireference_smsvoicev2: API_SendTextMessage.html and CommonErrors.html, as kept in November
// 2026, and the SDK of 29 May 2026, which lists the reasons). A reason that is not here counts as its exception.
//
// What depends on where a message goes is NoRoute: it is no fault of the settings as a whole and no outage, which anybody could cause
// then by asking for a code to a far country, and another gateway may have a way. What the vendor says of a message without saying why
// is Temporary.
var codes = map[string]gateway.Reason{
	"DESTINATION_PHONE_NUMBER_OPTED_OUT": gateway.BadNumber,
	// The account's owner has blocked it, so there is no reason to try it elsewhere.
	"DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE": gateway.BadNumber,

	"MAXIMUM_SIZE_EXCEEDED": gateway.Content,

	// What the account may: its standing, its limits, the sandbox.
	"ACCOUNT_DISABLED":                      gateway.Configuration,
	"INSUFFICIENT_ACCOUNT_REPUTATION":       gateway.Configuration,
	"MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT":  gateway.Configuration,
	"DESTINATION_PHONE_NUMBER_NOT_VERIFIED": gateway.Configuration,
	"CHANNEL_NOT_ENABLED":                   gateway.Configuration,
	"ServiceQuotaExceededException":         gateway.Configuration,

	// What the settings name.
	"KEYWORD_MISMATCH":                   gateway.Configuration,
	"MESSAGE_TYPE_MISMATCH":              gateway.Configuration,
	"NUMBER_CAPABILITIES_MISMATCH":       gateway.Configuration,
	"RESOURCE_NOT_ACTIVE":                gateway.Configuration,
	"RESOURCE_NOT_ACCESSIBLE":            gateway.Configuration,
	"INVALID_ARN":                        gateway.Configuration,
	"INVALID_REQUEST":                    gateway.Configuration,
	"MISSING_PARAMETER":                  gateway.Configuration,
	"PARAMETERS_CANNOT_BE_USED_TOGETHER": gateway.Configuration,
	"UNKNOWN_OPERATION":                  gateway.Configuration,
	"ResourceNotFoundException":          gateway.Configuration,
	"PROTECT_CONFIGURATION_NOT_ASSOCIATED_WITH_CONFIGURATION_SET": gateway.Configuration,

	// Keys, signature, clock, and the call itself.
	"AccessDeniedException":               gateway.Configuration,
	"AccessDenied":                        gateway.Configuration,
	"ExpiredTokenException":               gateway.Configuration,
	"ExpiredToken":                        gateway.Configuration,
	"IncompleteSignature":                 gateway.Configuration,
	"IncompleteSignatureException":        gateway.Configuration,
	"InvalidClientTokenId":                gateway.Configuration,
	"InvalidSignatureException":           gateway.Configuration,
	"SignatureDoesNotMatch":               gateway.Configuration,
	"MissingAuthenticationToken":          gateway.Configuration,
	"MissingAuthenticationTokenException": gateway.Configuration,
	"NotAuthorized":                       gateway.Configuration,
	"OptInRequired":                       gateway.Configuration,
	"RequestExpired":                      gateway.Configuration,
	"UnrecognizedClientException":         gateway.Configuration,
	"MalformedHttpRequestException":       gateway.Configuration,
	"RequestEntityTooLargeException":      gateway.Configuration,
	"SerializationException":              gateway.Configuration,
	"UnknownOperationException":           gateway.Configuration,
	"ValidationError":                     gateway.Configuration,

	// No way from this account to that country, or to that number.
	"COUNTRY_CODE_MISMATCH":                                gateway.NoRoute,
	"COUNTRY_NOT_ENABLED":                                  gateway.NoRoute,
	"DESTINATION_COUNTRY_BLOCKED":                          gateway.NoRoute,
	"DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION": gateway.NoRoute,
	"INTERNATIONAL_SENDING_NOT_SUPPORTED":                  gateway.NoRoute,
	"INVALID_IDENTITY_FOR_DESTINATION_COUNTRY":             gateway.NoRoute,
	"NO_ORIGINATION_IDENTITIES_FOUND":                      gateway.NoRoute,
	"PRICE_OVER_THRESHOLD":                                 gateway.NoRoute, // max_price
	"SENDER_ID_NOT_REGISTERED":                             gateway.NoRoute,
	"SENDER_ID_NOT_SUPPORTED":                              gateway.NoRoute,
	"SENDER_ID_REQUIRES_REGISTRATION":                      gateway.NoRoute,

	// The vendor does not say why.
	"CANNOT_PARSE":            gateway.Temporary,
	"FIELD_VALIDATION_FAILED": gateway.Temporary,
	"INVALID_PARAMETER":       gateway.Temporary,
	"OTHER":                   gateway.Temporary,
	"ConflictException":       gateway.Temporary,
	"ValidationException":     gateway.Temporary,

	// The pace of the account, or of who sends.
	"Throttling":               gateway.Temporary,
	"ThrottlingException":      gateway.Temporary,
	"TooManyRequestsException": gateway.Temporary,
	"RequestLimitExceeded":     gateway.Temporary,

	// The request was not read to its end.
	"RequestTimeoutException": gateway.Temporary,

	"InternalFailure":             gateway.Ambiguous,
	"InternalServerException":     gateway.Ambiguous,
	"RequestAbortedException":     gateway.Ambiguous,
	"ServiceUnavailable":          gateway.Ambiguous,
	"ServiceUnavailableException": gateway.Ambiguous,
}

// ofField returns what a reason means that is about one field of the request, whose name the vendor adds; "": what the table says.
func ofField(code string, fields []string) gateway.Reason {
	switch code {
	case "CANNOT_PARSE", "FIELD_VALIDATION_FAILED", "INVALID_PARAMETER", "MAXIMUM_SIZE_EXCEEDED":
	default:
		return ""
	}
	if len(fields) != 1 {
		return ""
	}
	switch strings.ToLower(fields[0]) {
	case "destinationphonenumber":
		return gateway.BadNumber
	case "messagebody":
		return gateway.Content
	case "originationidentity", "configurationsetname", "protectconfigurationid", "maxprice", "timetolive", "destinationcountryparameters":
		return gateway.Configuration
	}
	return ""
}
