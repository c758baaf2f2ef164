package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/idempotency"
	"smsd/internal/phone"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// problem is one row of the table: an error, and what the client is told of it.
type problem struct {
	status int
	// code is what programs use; with dashes for underscores it names the page under /problems/.
	code string
	// uri is the problem's type: where that page is.
	uri string
	// start is how its documents start; see startOf.
	start []byte
	// title and detail are fixed texts; detail says what to do next.
	title, detail string
	// explain is for the page: when this happens, and what it cost.
	explain string
	// is recognises the error.
	is func(error) bool
	// fill adds what only this problem carries; may be nil.
	fill func(error, *document)
	// example is an error of the row, for the page.
	example error
}

// Errors of this package beside those of bind.go.
var (
	errUnauthorized = errors.New("httpapi: no valid token")
	errForbidden    = errors.New("httpapi: unknown host or foreign origin")
	errClockFixed   = errors.New("httpapi: the stores' clock can't be moved")
)

// busyFor is the Retry-After of a 503: about what a store takes to fail over, and short enough that
// a recovery is noticed.
const busyFor = 5 * time.Second

// runningFor is the Retry-After of a request whose twin is running: about what a gateway takes.
const runningFor = time.Second

// newProblems returns the table. The first row that recognises an error wins; the last one takes all.
func newProblems() []*problem {
	table := newRows()
	for _, p := range table {
		p.uri = "/problems/" + p.name()
		p.start = startOf(p)
	}
	return table
}

func newRows() []*problem {
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
			status: http.StatusUnprocessableEntity, code: "code_incorrect", title: "The code is not right",
			detail:  "Ask the person to read the newest message and to type its code again.",
			explain: "The code, or a scene or phone given with it, is not the verification's. It used one attempt; attempts_left says how many remain. A code that a resend has replaced is incorrect too.",
			is:      typed[*sms.IncorrectError], fill: fillAttemptsLeft,
			example: &sms.IncorrectError{AttemptsLeft: 3},
		},
		{
			status: http.StatusUnprocessableEntity, code: "invalid_phone", title: "Not a telephone number",
			detail:  "Write the number as +<country code><number>, or give the region of a national number.",
			explain: "The text can't be read as a telephone number. Blanks, dashes, brackets, full-width digits and a leading 00 are fine; a number without country code needs region (ISO 3166). detail says what is wrong with it. Nothing was charged.",
			is:      typed[*phone.Error], fill: fillHint,
			example: &phone.Error{Hint: "it is too short for its country"},
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
		{
			status: http.StatusUnprocessableEntity, code: "token_invalid", title: "The token proves nothing",
			detail:  "Ask the person to verify a number again.",
			explain: "The token is not one that this service signed for this app, or it is about another audience, scene or nonce than the request names. detail says which. It was not used up.",
			is:      typed[*proof.InvalidError], fill: fillReason,
			example: &proof.InvalidError{Reason: proof.ReasonSignature},
		},
		{
			status: http.StatusGone, code: "token_expired", title: "The token has expired",
			detail:  "Ask the person to verify a number again, and consume the token at once.",
			explain: "The token is one of this service, and its exp is past.",
			is:      sentinel(proof.ErrExpired), example: proof.ErrExpired,
		},
		{
			status: http.StatusConflict, code: "token_consumed", title: "The token was consumed",
			detail:  "Ask the person to verify a number again; one verification is consumed once.",
			explain: "This token, or another one of the same verification, was consumed before. Whoever sends it again may have stolen it, or did not get the answer to the first call.",
			is:      sentinel(proof.ErrConsumed), example: proof.ErrConsumed,
		},
		{
			status: http.StatusUnprocessableEntity, code: "unknown_scene", title: "No such scene",
			detail:  "Use one of the scenes that the operator's policy names.",
			explain: "The scene is not in the policy in force. Names are case-sensitive. Nothing was charged.",
			is:      sentinel(sms.ErrUnknownScene), example: sms.ErrUnknownScene,
		},
		{
			status: http.StatusForbidden, code: "destination_not_allowed", title: "Not served",
			detail:  "Use a number of a country and kind that this scene serves.",
			explain: "The scene does not send to this country, or not to this kind of number (a landline, a premium number). Nothing was charged.",
			is:      sentinel(sms.ErrDestinationNotAllowed), example: sms.ErrDestinationNotAllowed,
		},
		{
			status: http.StatusForbidden, code: "blocked", title: "Blocked",
			detail:  "Contact the operator of this service.",
			explain: "The number or the network is on the policy's block list. Nothing was charged.",
			is:      sentinel(sms.ErrBlocked), example: sms.ErrBlocked,
		},
		{
			status: http.StatusUnprocessableEntity, code: "undeliverable", title: "The number can't be reached",
			detail:  "Check the number; if it is right, use another one.",
			explain: "The carrier surely refused this number, and no message was sent. What the number was charged is given back; what the client's address was charged is not.",
			is:      sentinel(sms.ErrUndeliverable), example: sms.ErrUndeliverable,
		},
		{
			status: http.StatusBadGateway, code: "gateway_failed", title: "The message could not be sent",
			detail:  "Try again in a moment.",
			explain: "No carrier took the message. It was surely not sent, and everything charged is given back.",
			is:      sentinel(sms.ErrGatewayFailed), example: sms.ErrGatewayFailed,
		},
		{
			status: http.StatusServiceUnavailable, code: "unavailable", title: "Out of service for the moment",
			detail:  "Try again when retry_after is over.",
			explain: "A store that this request needs is out of reach or full, or the instance is starting or stopping. Nobody could tell whether the code is right, and so no message was sent and nothing was verified.",
			is:      isUnavailable, fill: fillBusy,
			example: sms.ErrUnavailable,
		},
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
		{
			status: http.StatusNotFound, code: "not_found", title: "Nothing here",
			detail:  "See /openapi.json for what there is.",
			explain: "No resource has this path.",
			is:      echoStatus(http.StatusNotFound), example: echo.ErrNotFound,
		},
		{
			status: http.StatusMethodNotAllowed, code: "method_not_allowed", title: "Not with this method",
			detail:  "Use a method that the Allow field names.",
			explain: "The path exists, and answers to other methods only.",
			is:      echoStatus(http.StatusMethodNotAllowed), example: echo.ErrMethodNotAllowed,
		},
		{
			status: http.StatusRequestEntityTooLarge, code: "body_too_large", title: "The body is too large",
			detail:  "Send a body of at most 16 KiB; of receipts, 256 KiB with 1,000 of them.",
			explain: "Bodies may be 16 KiB long, or, of carriers with receipts, 256 KiB with 1,000 receipts; an honest one is far below that.",
			is:      sentinel(errBodyTooLarge), example: errBodyTooLarge,
		},
		{
			status: http.StatusUnsupportedMediaType, code: "unsupported_media_type", title: "Not JSON",
			detail:  "Send Content-Type: application/json, in UTF-8 and not compressed.",
			explain: "Bodies are JSON in UTF-8, and say so in Content-Type.",
			is:      sentinel(errMediaType), example: errMediaType,
		},
		{
			status: http.StatusUnauthorized, code: "unauthorized", title: "Not without a key",
			detail:  "Send Authorization: Bearer with an API key that is in force.",
			explain: "The request has no API key where one is required, or one that nobody has: mistyped, unknown, expired or revoked, which is not told. The operator finds out which in the log, under the request id, and makes keys with smsd keys create. Of a carrier's receipts it means that the signature, or the secret in the path, is not what the gateway's settings say. The admin listener asks for its token, as a bearer token or as the password of any user.",
			is:      isUnauthorized, fill: fillChallenge, example: errNoKey,
		},
		{
			status: http.StatusForbidden, code: "forbidden", title: "Not from there",
			detail:  "Use localhost, the machine's own name or address, or a name listed in admin.hosts, and no page of another origin.",
			explain: "A publishable key is for send, resend and verify, and for pages of the origins that it lists, or, if it lists none, for apps outside browsers. A secret key is for servers: a request of a page has leaked it. detail says which it was. The admin listener answers only to host names that it knows, and to pages of its own: otherwise any web page could reach it through the browser of somebody near it (DNS rebinding).",
			is:      isForbidden, fill: fillMisuse, example: errForeignPage,
		},
		{
			status: http.StatusConflict, code: "clock_not_movable", title: "The clock can't be moved",
			detail:  "Run in the profile dev with the stores in the process, without a Redis URL.",
			explain: "Only the stores in the process have a clock that can be moved; Redis has its own.",
			is:      sentinel(errClockFixed), example: errClockFixed,
		},
		{
			status: http.StatusInternalServerError, code: "internal", title: "Something broke",
			detail:  "Try again; if it happens again, give the operator the request id.",
			explain: "A fault of the service. What it was stands in the log under the request id.",
			is:      func(error) bool { return true }, example: errors.New("any other"),
		},
	}
}

// name is the last part of the problem's type.
func (p *problem) name() string { return strings.ReplaceAll(p.code, "_", "-") }

func typed[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func sentinel(targets ...error) func(error) bool {
	return func(err error) bool {
		for _, target := range targets {
			if errors.Is(err, target) {
				return true
			}
		}
		return false
	}
}

func echoStatus(status int) func(error) bool {
	return func(err error) bool {
		e, ok := errors.AsType[*echo.HTTPError](err)
		return ok && e.Code == status
	}
}

func isInvalidRequest(err error) bool {
	return typed[*bindError](err) || typed[*sms.FieldError](err) || errors.Is(err, gateway.ErrUnreadable)
}

func isUnauthorized(err error) bool {
	return typed[*apikey.Refusal](err) || sentinel(errNoKey, errUnauthorized, gateway.ErrForged)(err)
}

func isForbidden(err error) bool {
	return typed[*misuse](err) || errors.Is(err, errForbidden)
}

func isUnavailable(err error) bool {
	away := sentinel(sms.ErrUnavailable, proof.ErrUnavailable, apikey.ErrNotLoaded, idempotency.ErrUnavailable, records.ErrUnreadable, errTooManyWaiting, errTooManyExports,
		context.DeadlineExceeded, context.Canceled)
	return typed[*notReadyError](err) || away(err)
}
