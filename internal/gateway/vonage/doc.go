// Package vonage is the gateway to Vonage's Messages API, version 1, for SMS.
//
// Vonage has two APIs that send texts: to those who begin it recommends the Messages API, and keeps the SMS API for those who have
// it already (developer.vonage.com/en/messages/guides/sms-migration-to-messages, November 2026). Refusals of the first are HTTP
// statuses, where the other's are a 200 with a code inside.
//
// It takes two ways of authentication. Vonage mostly recommends a JWT, signed with the private key of an application, since Basic
// authentication with the account's key and secret goes without webhooks (developer.vonage.com/concepts/guides/authentication,
// November 2026). Both are here: the second needs no application.
//
//   - vonage.go: the settings, and one send.
//   - settings.go: what they must be.
//   - auth.go: the two ways of authentication.
//   - request.go: a message as the vendor wants it.
//   - answer.go: what an answer means.
//   - codes.go: the vendor's codes, in one table.
//   - examine.go: asking about the account.
//   - receipt.go: what the vendor reports later; receipt_auth.go: that it is the vendor; receipt_cost.go: what it cost.
//
// The vendor documents no idempotency: its client_ref comes back in receipts, and nothing says that a second message with it
// is refused (description of the API, version 1.20.0, 8 October 2026). So what may have been taken is never sent again.
//
// The vendor's SDK for Go is not used: the module proxy no longer has it. Package vonagefake plays the vendor.
package vonage
