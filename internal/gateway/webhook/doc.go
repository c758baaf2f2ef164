// Package webhook is the gateway to a carrier of the user's own: each message is a JSON POST to a URL of theirs, signed as
// Standard Webhooks 1.0.0 (https://www.standardwebhooks.com), and the answer says what became of it.
//
// What the receiver gets and what its answers mean is docs/gateways.md, "Your own carrier: the webhook".
//
//   - webhook.go: the settings, and one send.
//   - target.go: which URLs are taken. The addresses behind them are judged where they are dialled, by package carrier.
//   - body.go: what is posted.
//   - key.go, sign.go: the secrets, and the signature.
//   - outcome.go: what an answer means.
//   - examine.go: whether the receiver is there.
//   - receipts.go, signed.go: what the receiver reports later, and that it is the receiver who does.
package webhook
