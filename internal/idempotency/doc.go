// Package idempotency lets a client repeat a request whose answer was lost: under one Idempotency-Key a request is
// executed once, and repetitions get the first answer (draft-ietf-httpapi-idempotency-key-header-06).
package idempotency
