// Package httpapi is the service over HTTP: the only package that answers with a status.
//
// # Two listeners
//
// [NewPublic] is what the world may reach: send, resend, verify and status, the receipts of carriers, and what explains them
// (problem pages, the OpenAPI document, and in the profile dev a page to try it). [NewAdmin] is for the operator and for
// tests: metrics, profiles, and the mock gateway's inbox. Both come as plain handlers; [NewServer] puts
// time-outs around one.
//
// # The way of a request
//
//	edge      request id, recover, access log, metrics; turns the error that comes back into an answer
//	guard     admin only: is the Host ours, is the Origin ours, is the token right
//	handler   bind, call, answer; a handler returns errors and never writes one
//
// The receipts of carriers have a way of their own, in file receipts.go: no API key and no format of ours, since the gateway's
// driver knows how its carrier proves itself and what it writes ([gateway.ReceiptReader]). They are answered once they are on disk.
//
// # Errors
//
// One ordered table maps the sentinels and typed errors of the rooms below to problem documents (RFC 9457): problem.go says
// in which order, and each file beside it, problem_SUBJECT.go, has the rows of one subject. The same table makes the pages
// under /problems/. To add a problem, add a row.
// What no row knows is a 500 that says nothing but its request id; its text goes to the log.
//
// # What may never leave
//
// No answer repeats a value that was sent to it, no log line holds a code, a whole telephone number or a
// whole address: the types of packages secret, phone and address mask themselves. Their methods Reveal,
// E164 and IP are called here only for the answers of a successful verify (the number, the token) and of a consumed token (the number), the mock inbox
// (number and code, for testers) and the comparison with trusted proxies.
package httpapi
