package tencent

import (
	"time"

	"smsd/internal/gateway"
)

// meaning is what a code says of a message. But for Ambiguous, none was sent.
type meaning struct {
	reason gateway.Reason
	wait   time.Duration // with Throttled; 0: nobody knows
}

var (
	badNumber     = meaning{reason: gateway.BadNumber}
	configuration = meaning{reason: gateway.Configuration}
	temporary     = meaning{reason: gateway.Temporary}
	ambiguous     = meaning{reason: gateway.Ambiguous}
	content       = meaning{reason: gateway.Content}
)

// day is the longest that a limit by the day lasts: the vendor's are by the calendar day (tencentcloud.com/document/product/382/13303,
// 27 May 2024), and it does not say where it begins.
const day = 24 * time.Hour

// codes are the vendor's, from cloud.tencent.com/document/api/382/59177 (codes of sending), cloud.tencent.com/document/api/382/52075
// (codes common to its APIs), both of November 2026, and tencentcloud/sms/v20210111/errors.go of the vendor's SDK for Go, 21 August
// 2026. Those of calls that are not made here (of applying for signatures, of statistics) are left to their classes.
//
// A code is a class, or a class and a detail behind a dot. The classes' rows serve the details that have none of their
// own: the page says of some classes that the request itself was not taken (the key, the permission, a parameter, a quota),
// so a new detail of these was not sent. Of FailedOperation ("the operation failed"), InternalError and a class that
// nobody knows it does not say when it failed: Ambiguous. What the account as a whole may send is Configuration: another
// gateway can take the message. Only limits on the number are Throttled.
var codes = map[string]meaning{
	// The number.
	"InvalidParameterValue.IncorrectPhoneNumber": badNumber,
	"FailedOperation.PhoneNumberInBlacklist":     badNumber, // opted out
	"FailedOperation.PhoneNumberParseFail":       badNumber,

	// Limits on the number. A detail that nobody knows may be one.
	"LimitExceeded":                                  {reason: gateway.Throttled},
	"LimitExceeded.DeliveryFrequencyLimit":           {reason: gateway.Throttled},
	"LimitExceeded.PhoneNumberThirtySecondLimit":     {gateway.Throttled, 30 * time.Second},
	"LimitExceeded.PhoneNumberOneHourLimit":          {gateway.Throttled, time.Hour},
	"LimitExceeded.PhoneNumberDailyLimit":            {gateway.Throttled, day},
	"LimitExceeded.PhoneNumberSameContentDailyLimit": {gateway.Throttled, day},

	// The text.
	"FailedOperation.ContainSensitiveWord":                      content,
	"InvalidParameter.DirtyWordFound":                           content,
	"InvalidParameterValue.TemplateWithDirtyWords":              content,
	"InvalidParameterValue.ContentLengthLimit":                  content,
	"InvalidParameterValue.ProhibitedUseUrlInTemplateParameter": content,

	// The signature, the template and what is put into it.
	"FailedOperation.SignatureIncorrectOrUnapproved":                  configuration,
	"FailedOperation.MissingSignature":                                configuration,
	"FailedOperation.TemplateIncorrectOrUnapproved":                   configuration,
	"FailedOperation.TemplateUnapprovedOrNotExist":                    configuration,
	"FailedOperation.TemplateIdNotExist":                              configuration,
	"FailedOperation.TemplateParamSetNotMatchApprovedTemplate":        configuration,
	"FailedOperation.MarketingSendTimeConstraint":                     configuration, // a template of the wrong type
	"InvalidParameterValue.TemplateParameterFormatError":              configuration, // more than six digits, or not digits
	"InvalidParameterValue.TemplateParameterLengthLimit":              configuration,
	"UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone":       configuration,
	"UnsupportedOperation.GlobalTemplateToChineseMainlandPhone":       configuration,
	"UnsupportedOperation.ContainDomesticAndInternationalPhoneNumber": configuration,
	"UnsupportedOperation.UnsupportedRegion":                          configuration,
	"FailedOperation.NotEnterpriseCertification":                      configuration,
	"UnauthorizedOperation.IndividualUserMarketingSmsPermissionDeny":  configuration,

	// The account: its balance, its limits, where it may be used.
	"FailedOperation.InsufficientBalanceInSmsPackage":  configuration,
	"UnauthorizedOperation.ServiceSuspendDueToArrears": configuration,
	"UnauthorizedOperation.RequestIpNotInWhitelist":    configuration,
	"UnauthorizedOperation.RequestPermissionDeny":      configuration,
	"UnauthorizedOperation.SdkAppIdIsDisabled":         configuration,
	"UnauthorizedOperation.SmsSdkAppIdVerifyFail":      configuration,
	"InvalidParameterValue.SdkAppIdNotExist":           configuration,
	"InvalidParameter.AppidAndBizId":                   configuration,
	"LimitExceeded.AppDailyLimit":                      configuration,
	"LimitExceeded.AppGlobalDailyLimit":                configuration,
	"LimitExceeded.AppMainlandChinaDailyLimit":         configuration,
	"LimitExceeded.AppCountryOrRegionDailyLimit":       configuration,
	"LimitExceeded.AppCountryOrRegionInBlacklist":      configuration,
	"LimitExceeded.DailyLimit":                         configuration,
	"LimitExceeded.PhoneNumberCountLimit":              configuration,

	// The key, the clock, the call itself.
	"FailedOperation.FailResolvePacket":      configuration,
	"FailedOperation.JsonParseFail":          configuration,
	"InternalError.JsonParseFail":            configuration, // the parameters could not be read
	"InternalError.RequestTimeException":     configuration, // the clock
	"InternalError.RestApiInterfaceNotExist": configuration,
	"InternalError.SigFieldMissing":          configuration,
	"InternalError.SigVerificationFail":      configuration,
	"AuthFailure":                            configuration, // AuthFailure.SignatureExpire is the clock
	"UnauthorizedOperation":                  configuration,
	"InvalidParameter":                       configuration,
	"InvalidParameterValue":                  configuration,
	"MissingParameter":                       configuration,
	"UnknownParameter":                       configuration,
	"UnsupportedOperation":                   configuration,
	"UnsupportedProtocol":                    configuration,
	"UnsupportedRegion":                      configuration,
	"InvalidAction":                          configuration,
	"InvalidRequest":                         configuration,
	"ActionOffline":                          configuration,
	"NoSuchProduct":                          configuration,
	"NoSuchVersion":                          configuration,
	"IpInBlacklist":                          configuration,
	"IpNotInWhitelist":                       configuration,
	"RequestSizeLimitExceeded":               configuration,

	// How many calls the account makes at once, which is refused before a message is looked at.
	"RequestLimitExceeded":                    temporary,
	"LimitExceeded.GlobalSmsSendingRateLimit": temporary,

	// Failures on the way: the pages do not say that nothing was sent.
	"FailedOperation":                        ambiguous,
	"FailedOperation.OtherError":             ambiguous, // mostly a parameter, the page says, not always
	"FailedOperation.ParametersOtherError":   ambiguous,
	"InternalError":                          ambiguous,
	"InternalError.OtherError":               ambiguous,
	"InternalError.ParseBackendResponseFail": ambiguous,
	"InternalError.SendAndRecvFail":          ambiguous,
	"InternalError.Timeout":                  ambiguous,
	"InternalError.UnknownError":             ambiguous,
	"ResponseSizeLimitExceeded":              ambiguous,
	"ServiceUnavailable":                     ambiguous,
}
