package aliyun

import (
	"time"

	"smsd/internal/gateway"
)

// meaning is what a code says of a message. But for Ambiguous, none was sent.
type meaning struct {
	reason gateway.Reason
	wait   time.Duration // with Throttled; 0: the answer's own words tell it
}

var (
	badNumber     = meaning{reason: gateway.BadNumber}
	noRoute       = meaning{reason: gateway.NoRoute}
	throttled     = meaning{reason: gateway.Throttled}
	configuration = meaning{reason: gateway.Configuration}
	temporary     = meaning{reason: gateway.Temporary}
	ambiguous     = meaning{reason: gateway.Ambiguous}
	content       = meaning{reason: gateway.Content}
)

// codes are the vendor's, from three pages as they were in November 2026 (the first bears no date, and the vendor changes it
// without notice; the second is of 3 February 2026): help.aliyun.com/document_detail/101346.html (messages to the mainland, whose codes
// begin with isv. where the caller is at fault and isp. where the platform is), alibabacloud.com/help/zh/doc-detail/180674.html (to
// other countries; those without a prefix), developer.aliyun.com/ask/278265 (common to the vendor's APIs). Of the first, the codes of extension
// numbers, isv.SIGNATURE_BLACKLIST and isv.SMS_TEST_SIGN_TEMPLATE_LIMIT are known from programs that list its rows. What the
// account as a whole may send is Configuration: another gateway can take the message. Only limits on the number are Throttled.
//
// A code that is not here is Ambiguous, with any prefix: no page says that what it does not list was not sent, the vendor adds
// codes without notice, and SendSms knows no repetitions (its page asks to look for the receipt before one sends again).
var codes = map[string]meaning{
	"isv.MOBILE_NUMBER_ILLEGAL":   badNumber,
	"MOBILE_NUMBER_ILLEGAL":       badNumber,
	"isv.BLACK_KEY_CONTROL_LIMIT": badNumber, // the number is on a list of those who complained or opted out
	"isv.CUSTOMER_REFUSED":        badNumber, // opted out

	"NOT_SUPPORTED_COUNTRY": noRoute,

	"isv.BUSINESS_LIMIT_CONTROL":    throttled,
	"BUSINESS_LIMIT_CONTROL":        throttled,
	"BUSINESS_LIMIT_CONTROL_MINUTE": {gateway.Throttled, time.Minute},
	"BUSINESS_LIMIT_CONTROL_PHONE":  throttled,
	"isv.BUSINESS_LIMIT_HOUR":       {gateway.Throttled, time.Hour},
	"isv.BUSINESS_LIMIT_DAY":        {gateway.Throttled, 24 * time.Hour},

	"isv.SMS_CONTENT_ILLEGAL":   content,
	"isv.UNSUPPORTED_CONTENT":   content,
	"isv.PARAM_NOT_SUPPORT_URL": content,
	"SMS_CONTENT_ILLEGAL":       content,
	"BLACK_KEY_CONTROL_LIMIT":   content, // of messages to other countries: a word in a variable
	"SMS_SECURITY_INTERCEPTED":  content, // by the vendor's risk control, which is no reason to try it elsewhere

	// The signature.
	"isv.SMS_SIGNATURE_ILLEGAL":        configuration,
	"isv.SMS_SIGNATURE_SCENE_ILLEGAL":  configuration,
	"isv.SMS_SIGN_ILLEGAL":             configuration,
	"isv.SMS_SIGN_NAME_ILLEGAL":        configuration,
	"isv.SIGN_NAME_ILLEGAL":            configuration,
	"isv.SIGN_STATE_ILLEGAL":           configuration,
	"isv.SIGN_SOURCE_ILLEGAL":          configuration,
	"isv.SIGNATURE_BLACKLIST":          configuration,
	"isv.SMS_TEST_SIGN_TEMPLATE_LIMIT": configuration, // one of the two is for tests, and the other is not
	"isv.EXTEND_CODE_ERROR":            configuration,
	"isv.ONE_CODE_MULTIPLE_SIGN":       configuration,
	"isv.CODE_EXCEED_LIMIT":            configuration,
	"isv.CODE_ERROR":                   configuration,
	"PORT_NOT_REGISTERED":              configuration, // not yet registered with the networks
	"SMS_SIGN_NAME_ILLEGAL":            configuration,
	"INVALID_SENDERID":                 configuration,

	// The template and what is put into it.
	"isv.SMS_TEMPLATE_ILLEGAL":               configuration,
	"isv.TEMPLATE_MISSING_PARAMETERS":        configuration,
	"isv.TEMPLATE_PARAMS_ILLEGAL":            configuration,
	"isv.SMS_CONTENT_MISMATCH_TEMPLATE_TYPE": configuration,
	"isv.INVALID_PARAMETERS":                 configuration,
	"isv.INVALID_JSON_PARAM":                 configuration,
	"isv.PARAM_LENGTH_LIMIT":                 configuration,
	"isv.MOBILE_COUNT_OVER_LIMIT":            configuration,
	"isv.DOMESTIC_NUMBER_NOT_SUPPORTED":      configuration,
	"isv.SMS_TEST_NUMBER_LIMIT":              configuration, // a signature or template for tests, and a number that is not bound
	"isv.SMS_TEST_TEMPLATE_PARAMS_ILLEGAL":   configuration,
	"SMS_CONTENT_CODE_ILLEGAL":               configuration,
	"CONTENT_MISSING_PARAMETERS":             configuration,
	"INVALID_PARAMETERS":                     configuration,
	"INVALID_JSON_PARAM":                     configuration,
	"PARAM_LENGTH_LIMIT":                     configuration,
	"MOBILE_COUNT_OVER_LIMIT":                configuration,

	// The account: its balance, its limits, where it may be used.
	"isv.AMOUNT_NOT_ENOUGH":       configuration,
	"isv.OUT_OF_SERVICE":          configuration,
	"isv.DAY_LIMIT_CONTROL":       configuration,
	"isv.MONTH_LIMIT_CONTROL":     configuration,
	"isv.PRODUCT_UN_SUBSCRIPT":    configuration,
	"isv.PRODUCT_UNSUBSCRIBE":     configuration,
	"isv.ACCOUNT_NOT_EXISTS":      configuration,
	"isv.ACCOUNT_ABNORMAL":        configuration,
	"isv.SECURITY_FROZEN_ACCOUNT": configuration,
	"isv.DENY_IP_RANGE":           configuration,
	"isp.RAM_PERMISSION_DENY":     configuration,
	"AMOUNT_NOT_ENOUGH":           configuration,
	"OUT_OF_SERVICE":              configuration,
	"PRODUCT_NOT_SUBSCRIBED":      configuration,
	"ACCOUNT_NOT_EXISTS":          configuration,
	"ACCOUNT_ILLEGAL":             configuration,
	"FORBIDDEN_ACTION":            configuration,
	"RAM_PERMISSION_DENY":         configuration,

	// The key, the clock, the call itself.
	"SignatureDoesNotMatch":        configuration,
	"IncompleteSignature":          configuration,
	"InvalidSignatureMethod":       configuration,
	"InvalidAccessKeyId":           configuration,
	"InvalidAccessKeyId.NotFound":  configuration,
	"InvalidAccessKeyId.Inactive":  configuration,
	"MissingAccessKeyId":           configuration,
	"InvalidTimeStamp.Format":      configuration,
	"InvalidTimeStamp.Expired":     configuration,
	"InvalidVersion":               configuration,
	"NoSuchVersion":                configuration,
	"InvalidAction.NotFound":       configuration,
	"InvalidApi.NotFound":          configuration,
	"InvalidParameter":             configuration,
	"MissingParameter":             configuration,
	"UnsupportedOperation":         configuration,
	"UnsupportedHTTPMethod":        configuration,
	"Forbidden":                    configuration,
	"Forbidden.RAM":                configuration,
	"Forbidden.RiskControl":        configuration,
	"Forbidden.UserVerification":   configuration,
	"InvalidSecurityToken.Expired": configuration,

	// How many calls the account makes at once, which is refused before a message is looked at.
	"Throttling":        temporary,
	"Throttling.User":   temporary,
	"Throttling.Api":    temporary,
	"QPS_LIMIT_CONTROL": temporary,

	// Failures on the way: the pages say to call again, none that nothing was sent.
	"isp.SYSTEM_ERROR":      ambiguous,
	"isp.UNKNOWN":           ambiguous,
	"isp.GATEWAY_ERROR":     ambiguous,
	"SYSTEM_ERROR":          ambiguous,
	"ONLINE_BILLING_FAILED": ambiguous, // or an internal error, the page says
	"InternalError":         ambiguous,
	"ServiceUnavailable":    ambiguous,
	"SignatureNonceUsed":    ambiguous, // something on the way repeated the request: the first may have been taken
}
