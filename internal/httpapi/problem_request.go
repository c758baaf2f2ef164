package httpapi

import (
	"errors"
	"net/http"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// requestProblems are what a request is refused for before anything is known of it but what it says and how often it comes.
func requestProblems() []*problem {
	return []*problem{
		{
			status: http.StatusTooManyRequests, code: "rate_limited", title: "Too many requests",
			detail:  "Wait as long as retry_after says, then try again.",
			explain: "A limit was reached. Nothing was charged and no message was sent. Waiting retry_after seconds is enough if nobody else uses the same number or address meanwhile. Which limit it was is not told, as that would help attackers; the operator finds it in the log under the request id.",
			is:      typed[*throttle.Denied], fill: fillRetryAfter,
			example: &throttle.Denied{Decision: throttle.Decision{RetryAfter: 42 * time.Second}},
		},
		{
			status: http.StatusBadRequest, code: "invalid_request", title: "The request is not as documented",
			detail:  "Correct what errors names, as /openapi.json describes it, then send the request again.",
			explain: "The body is not a JSON object with the documented fields. errors names every fault: pointer (RFC 6901) is the field, or empty for the body as a whole; parameter is a query parameter; header is a header field; code is one of required, invalid_type, unknown, duplicate, too_long, invalid, not_allowed (only a secret key may state client_ip). Names are case-sensitive. A code is a JSON string with as many digits as the message had. Nothing was charged and no attempt was used.",
			is:      isInvalidRequest, fill: fillErrors,
			example: &bindError{[]fault{atPointer("/phone", codeRequired)}},
		},
		{
			status: http.StatusUnprocessableEntity, code: "invalid_phone", title: "Not a telephone number",
			detail:  "Write the number as +<country code><number>, or give the region of a national number.",
			explain: "The text can't be read as a telephone number. Blanks, dashes, brackets, full-width digits and a leading 00 are fine; a number without country code needs region (ISO 3166). detail says what is wrong with it. Nothing was charged.",
			is:      typed[*phone.Error], fill: fillHint,
			example: &phone.Error{Hint: "it is too short for its country"},
		},
	}
}

func isInvalidRequest(err error) bool {
	return typed[*bindError](err) || typed[*sms.FieldError](err) || errors.Is(err, gateway.ErrUnreadable)
}

func fillRetryAfter(err error, d *document) {
	if denied, ok := errors.AsType[*throttle.Denied](err); ok {
		d.RetryAfter = wholeSeconds(denied.RetryAfter)
	}
}

func fillErrors(err error, d *document) {
	if request, ok := errors.AsType[*bindError](err); ok {
		d.Errors = request.faults
		if request.isWhole() {
			d.Detail = "Send one JSON object in UTF-8 as the body, with nothing before or after it."
		}
	} else if field, ok := errors.AsType[*sms.FieldError](err); ok {
		d.Errors = []fault{atPointer(field.Pointer, field.Code)}
	} else { // of a carrier
		d.Errors = []fault{atPointer("", codeInvalid)}
		d.Detail = "Send receipts as the gateway's carrier does."
	}
}

func fillHint(err error, d *document) {
	if fault, ok := errors.AsType[*phone.Error](err); ok && fault.Hint != "" {
		d.Detail = "The number can't be used: " + fault.Hint + "."
	}
}
