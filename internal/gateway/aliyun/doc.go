// Package aliyun is the gateway to Alibaba Cloud's short messages: SendSms of dysmsapi, version 2017-05-25, signed with
// ACS3-HMAC-SHA256.
//
// The vendor keeps the texts: a message goes by the name of a signature and the code of a template, both approved there, and
// the values of the template's variables by name. One that comes without a template goes by the gateway's own, if that is set,
// and is not sent otherwise.
//
//   - aliyun.go: the settings, and one send.
//   - request.go: a message as the vendor wants it.
//   - sign.go: the signature.
//   - answer.go: what an answer means. A refusal is an HTTP 200 with a code inside.
//   - codes.go: the vendor's codes, in one table.
//   - receipt.go: what the vendor reports later; receipt_codes.go: why a message did not arrive.
//   - examine.go: asking about the account; examine_review.go: signatures and templates; examine_balance.go: money.
//
// The vendor's SDK for Go (github.com/alibabacloud-go/dysmsapi-20170525) is not used: it brings modules of its own for JSON,
// credentials, transport and logging, all for one call and one HMAC. Package aliyunfake plays the vendor.
package aliyun
