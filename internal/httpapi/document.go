package httpapi

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/proof"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

const (
	typeProblem      = "application/problem+json"
	headerRetryAfter = "Retry-After"
)

// document is a problem as it is sent (RFC 9457).
type document struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	RequestID string `json:"request_id"`
	// RetryAfter is whole seconds, at least 1 where there is one.
	RetryAfter   int64             `json:"retry_after,omitzero"`
	AttemptsLeft *int              `json:"attempts_left,omitzero"`
	Errors       []fault           `json:"errors,omitempty"`
	Checks       map[string]string `json:"checks,omitempty"`
	// challenges go into WWW-Authenticate.
	challenges []string
	row        *problem
}

// document makes what p says of err.
func (p *problem) document(err error, requestID string) *document {
	d := p.plain(requestID)
	if p.fill != nil {
		p.fill(err, d)
	}
	return d
}

// plain is what p says of every error.
func (p *problem) plain(requestID string) *document {
	return &document{
		Type: p.uri, Title: p.title, Status: p.status, Code: p.code, Detail: p.detail, RequestID: requestID, row: p,
	}
}

// write answers with d.
func (d *document) write(c echo.Context) error {
	body, err := d.encode()
	if err != nil {
		return err
	}
	h := c.Response().Header()
	if d.RetryAfter > 0 {
		h[headerRetryAfter] = []string{strconv.FormatInt(d.RetryAfter, 10)}
	}
	for _, challenge := range d.challenges {
		h.Add(echo.HeaderWWWAuthenticate, challenge)
	}
	return blob(c, d.Status, asProblem, body)
}

func fillRetryAfter(err error, d *document) {
	if denied, ok := errors.AsType[*throttle.Denied](err); ok {
		d.RetryAfter = wholeSeconds(denied.RetryAfter)
	}
}

func fillBusy(err error, d *document) {
	d.RetryAfter = wholeSeconds(busyFor)
	if waiting, ok := errors.AsType[*notReadyError](err); ok {
		d.Checks = waiting.checks
	}
}

func fillRunning(_ error, d *document) { d.RetryAfter = wholeSeconds(runningFor) }

// wholeSeconds rounds up, so that waiting that long is enough, and is at least 1.
func wholeSeconds(wait time.Duration) int64 {
	return max(1, int64((wait+time.Second-1)/time.Second))
}

func fillAttemptsLeft(err error, d *document) {
	if wrong, ok := errors.AsType[*sms.IncorrectError](err); ok {
		d.AttemptsLeft = &wrong.AttemptsLeft
	}
}

func fillHint(err error, d *document) {
	if fault, ok := errors.AsType[*phone.Error](err); ok && fault.Hint != "" {
		d.Detail = "The number can't be used: " + fault.Hint + "."
	}
}

func fillReason(err error, d *document) {
	if refused, ok := errors.AsType[*proof.InvalidError](err); ok {
		d.Detail = "The token can't be used: " + refused.Hint() + "."
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

// fillChallenge asks for an API key (RFC 6750, section 3), or on the admin listener for its token. Why a key identifies nobody
// is not told.
func fillChallenge(err error, d *document) {
	switch {
	case errors.Is(err, errUnauthorized):
		d.Detail = "Send Authorization: Bearer with the admin token."
		d.challenges = []string{`Bearer realm="smsd admin"`, `Basic realm="smsd admin", charset="UTF-8"`}
	case errors.Is(err, gateway.ErrForged):
		d.Detail = "Send receipts with the signature, or to the secret path, that the gateway's settings ask for."
		d.challenges = []string{`Signature realm="smsd receipts"`}
	case errors.Is(err, errNoKey):
		d.challenges = []string{`Bearer realm="smsd"`}
	default:
		d.challenges = []string{`Bearer realm="smsd", error="invalid_token"`}
	}
}

func fillMisuse(err error, d *document) {
	if found, ok := errors.AsType[*misuse](err); ok {
		d.Detail = found.detail
	}
}

// find returns the row of table that takes err.
func find(table []*problem, err error) *problem {
	for _, p := range table {
		if p.is(err) {
			return p
		}
	}
	return table[len(table)-1]
}

// isOurs says whether a status is our fault, not the client's.
func isOurs(status int) bool { return status >= http.StatusInternalServerError }
