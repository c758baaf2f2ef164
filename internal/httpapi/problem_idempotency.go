package httpapi

import (
	"net/http"
	"time"

	"smsd/internal/idempotency"
)

// runningFor is the Retry-After of a request whose twin is running: about what a gateway takes.
const runningFor = time.Second

// idempotencyProblems are of requests under an Idempotency-Key.
func idempotencyProblems() []*problem {
	return []*problem{
		{
			status: http.StatusConflict, code: "request_in_progress", title: "The same request is running",
			detail:  "Send the request again, with the same key, when retry_after is over.",
			explain: "A request with this Idempotency-Key is being executed, or was when its instance ended a moment ago. This one did nothing; repeated, it gets the answer of the first.",
			is:      sentinel(idempotency.ErrInProgress), fill: fillRunning, example: idempotency.ErrInProgress,
		},
		{
			status: http.StatusConflict, code: "outcome_unknown", title: "What became of the request is not known",
			detail:  "Whether a message was sent is not known, and this key sends none again. To send one, use a new key.",
			explain: "The instance that executed the request with this Idempotency-Key ended before its answer was stored, and the verification has ended since or was undone. Under this key nothing is ever sent again.",
			is:      sentinel(idempotency.ErrOutcomeUnknown), example: idempotency.ErrOutcomeUnknown,
		},
		{
			status: http.StatusUnprocessableEntity, code: "idempotency_mismatch", title: "The key was used for another request",
			detail:  "Use a new key for each new request, and repeat a request as it was.",
			explain: "The Idempotency-Key was used with other content. Field order and blanks in the JSON make no difference; any other value does. Nothing was charged and no message was sent.",
			is:      sentinel(idempotency.ErrMismatch), example: idempotency.ErrMismatch,
		},
	}
}

func fillRunning(_ error, d *document) { d.RetryAfter = wholeSeconds(runningFor) }
