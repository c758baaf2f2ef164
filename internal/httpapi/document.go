package httpapi

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
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

// wholeSeconds rounds up, so that waiting that long is enough, and is at least 1.
func wholeSeconds(wait time.Duration) int64 {
	return max(1, int64((wait+time.Second-1)/time.Second))
}
