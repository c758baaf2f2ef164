package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/idempotency"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/sms"
)

// busyFor is the Retry-After of a 503: about what a store takes to fail over, and short enough that
// a recovery is noticed.
const busyFor = 5 * time.Second

// unavailableProblem is of what this instance needs and has not got for the moment.
func unavailableProblem() *problem {
	return &problem{
		status: http.StatusServiceUnavailable, code: "unavailable", title: "Out of service for the moment",
		detail:  "Try again when retry_after is over.",
		explain: "A store that this request needs is out of reach or full, or the instance is starting or stopping. Nobody could tell whether the code is right, and so no message was sent and nothing was verified.",
		is:      isUnavailable, fill: fillBusy,
		example: sms.ErrUnavailable,
	}
}

// internalProblem is of all that no other row knows.
func internalProblem() *problem {
	return &problem{
		status: http.StatusInternalServerError, code: "internal", title: "Something broke",
		detail:  "Try again; if it happens again, give the operator the request id.",
		explain: "A fault of the service. What it was stands in the log under the request id.",
		is:      func(error) bool { return true }, example: errors.New("any other"),
	}
}

func isUnavailable(err error) bool {
	away := sentinel(sms.ErrUnavailable, proof.ErrUnavailable, apikey.ErrNotLoaded, idempotency.ErrUnavailable, records.ErrUnreadable, errTooManyWaiting, errTooManyExports,
		context.DeadlineExceeded, context.Canceled)
	return typed[*notReadyError](err) || away(err)
}

func fillBusy(err error, d *document) {
	d.RetryAfter = wholeSeconds(busyFor)
	if waiting, ok := errors.AsType[*notReadyError](err); ok {
		d.Checks = waiting.checks
	}
}

// isOurs says whether a status is our fault, not the client's.
func isOurs(status int) bool { return status >= http.StatusInternalServerError }
