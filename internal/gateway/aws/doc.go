// Package aws is the gateway to AWS End User Messaging SMS: SendTextMessage of the API pinpoint-sms-voice-v2.
//
// AWS has three ways to send a code. Publish of Amazon SNS hands its texts to End User Messaging and knows neither pools nor
// configuration sets (docs.aws.amazon.com/sns/latest/dg/sns-mobile-phone-number-as-subscriber.html). SendTextMessage is for all outbound
// SMS with a text of one's own (end-user-messaging/latest/userguide/nx-sms-send.html), which is what smsd has; its answers say why
// in a word. Notify sends a text of AWS's own from AWS's own numbers (sms-voice/latest/userguide/notify.html). All as kept in November 2026.
//
//   - aws.go: the settings, and one send.
//   - settings.go: what they must be.
//   - credentials.go: keys from the settings, or those of the machine.
//   - request.go: a message as the vendor wants it.
//   - wire.go: the HTTP under the vendor's SDK, which is that of package carrier.
//   - answer.go: what an answer means.
//   - codes.go: the vendor's reasons, in one table.
//   - receipt.go, receipt_codes.go: the vendor's events; topic.go, certificate.go: who posts them.
//   - examine.go, examine_account.go, examine_sender.go: what the account has.
//
// The vendor's SDK for Go (aws-sdk-go-v2, 15 modules of one family) signs, and finds the credentials of the machine: of an instance, a
// container, a pod or a profile, which nobody would want to write anew. It makes smsd 7.5 MB larger, to 44.8 MB (version 1.48.0, linked with
// -s -w, November 2026), 2.4 of them the operations of this API, which the linker can't leave out; the start takes no longer. It neither
// retries here nor speaks HTTP itself, nor does it tell errors: its own hold the number, as the vendor echoes it.
//
// The vendor offers no idempotency for a message: the request has no token (SDK of 29 May 2026). So what may have been taken is
// never sent again. Package awsfake plays the vendor.
package aws
