package httpapi

import (
	"errors"
	"net/http"

	"smsd/internal/gateway/mock"
	"smsd/internal/records"
	"smsd/internal/sms"
)

// codeProblems are of codes that do not verify, or not any more.
func codeProblems() []*problem {
	return []*problem{
		{
			status: http.StatusUnprocessableEntity, code: "code_incorrect", title: "The code is not right",
			detail:  "Ask the person to read the newest message and to type its code again.",
			explain: "The code, or a scene or phone given with it, is not the verification's. It used one attempt; attempts_left says how many remain; with 0 left, a new code is needed. A code that a resend has replaced is incorrect too.",
			is:      typed[*sms.IncorrectError], fill: fillAttemptsLeft,
			example: &sms.IncorrectError{AttemptsLeft: 3},
		},
		{
			status: http.StatusGone, code: "code_expired", title: "The code has expired",
			detail:  "Send a new code.",
			explain: "The code's life, expires_in of the answer to the send, is over. A resend with under a minute left is refused the same way, as its message would be of no use.",
			is:      sentinel(sms.ErrExpired), example: sms.ErrExpired,
		},
		{
			status: http.StatusGone, code: "code_used", title: "The code was used",
			detail:  "Send a new code; one code verifies once.",
			explain: "A verify of this code has succeeded before. Of several at the same moment just one succeeds.",
			is:      sentinel(sms.ErrUsed), example: sms.ErrUsed,
		},
		{
			status: http.StatusGone, code: "attempts_exhausted", title: "No attempts left",
			detail:  "Send a new code.",
			explain: "The code was typed wrong as often as its scene allows, and is void, also for the right digits.",
			is:      sentinel(sms.ErrAttemptsExhausted), example: sms.ErrAttemptsExhausted,
		},
		{
			status: http.StatusNotFound, code: "verification_not_found", title: "No such verification",
			detail:  "Use the sms_id of the last send, or send a new code.",
			explain: "No verification has this sms_id, or it ended long ago. Ended ones are told apart for ten minutes at the least. Of /mock/receipts it means that the mock gateway's inbox has no such message, or has it no more.",
			is:      sentinel(sms.ErrNotFound, records.ErrNotFound, mock.ErrNoMessage), example: sms.ErrNotFound,
		},
	}
}

func fillAttemptsLeft(err error, d *document) {
	if wrong, ok := errors.AsType[*sms.IncorrectError](err); ok {
		d.AttemptsLeft = &wrong.AttemptsLeft
		if wrong.AttemptsLeft == 0 {
			d.Detail = "No attempts are left: send a new code."
		}
	}
}
