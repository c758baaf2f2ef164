// Package tencent is the gateway to Tencent Cloud's short messages: SendSms of sms, version 2021-01-11, signed with TC3-HMAC-SHA256.
//
// The vendor keeps the texts: a message goes by a signature and the id of a template, both approved there, and the values
// of the template's variables in their order. One that comes without a template goes by the gateway's own, if that is set,
// and is not sent otherwise.
//
//   - tencent.go: the settings, and one send.
//   - request.go: a message as the vendor wants it.
//   - sign.go: the signature.
//   - answer.go: what an answer means. A refusal is an HTTP 200 with a code inside, at one of two places.
//   - codes.go: the vendor's codes, in one table.
//   - receipt.go: what the vendor reports later; receipt_codes.go: why a message did not arrive.
//   - examine.go: asking about the account; examine_review.go: templates; examine_packages.go: messages that are paid for.
//
// The vendor's SDK for Go (github.com/tencentcloud/tencentcloud-sdk-go) is not used: one call and one HMAC do not need its
// layers of requests, retries and profiles. Package tencentfake plays the vendor.
package tencent
