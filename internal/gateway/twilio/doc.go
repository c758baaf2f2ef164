// Package twilio is the gateway to Twilio's Messages resource, version 2010-04-01 of its API.
//
// A message is one POST of a form, with Basic authentication: an API key, which can be revoked alone, or the account's
// auth token. It goes from a number or a sender id of one's own, or from a Messaging Service, which picks the sender.
//
//   - twilio.go: the settings, and one send.
//   - settings.go: what they must be.
//   - request.go: a message as the vendor wants it.
//   - answer.go: what an answer means.
//   - codes.go: the vendor's codes, in one table.
//   - examine.go: asking about the account.
//   - receipt.go: what the vendor reports later; receipt_signature.go: that it is the vendor.
//
// The vendor offers no idempotency here. A POST that is sent again may lead to a second message, it says
// (twilio.com/docs/api/errors/20500, November 2026), and the description of the resource (twilio-oai, 14 April 2026) has neither a
// parameter nor a header for it. So what may have been taken is never sent again.
//
// The vendor's SDK for Go (github.com/twilio/twilio-go v1.31.0) is not used: it is 27 MB in 2,300 files, for one form.
// Package twiliofake plays the vendor.
package twilio
