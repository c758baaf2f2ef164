package twilio

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// message is the resource that the vendor has made of ours.
type message struct {
	SID       string
	Status    string
	ErrorCode int `json:"error_code"` // null until something is wrong
}

// problem is the vendor's refusal (twilio.com/docs/usage/twilios-response, November 2026). Its words may hold the
// number, so they are not read.
type problem struct{ Code, Status int }

// outcome says what an answer means.
func outcome(a carrier.Answer, now time.Time) (gateway.Accepted, error) {
	switch {
	case a.OK():
		return created(a)
	case a.Refuses():
		return gateway.Accepted{}, refused(a, now)
	}
	// Also where the vendor's own code is in it: after a 500 the message may go out (see the package's
	// comment), and no page says otherwise of a 503.
	return gateway.Accepted{}, a.Unclear("the carrier failed")
}

// created reads a 2xx. A message that was made and has failed at once was not sent if its code is one that says so; with any
// other status it is taken, and the rest is for its receipts.
func created(a carrier.Answer) (gateway.Accepted, error) {
	var m message
	if err := a.JSON(&m); err != nil {
		return gateway.Accepted{}, err
	}
	switch meaning, known := codes[m.ErrorCode]; {
	case !isMessage(m.SID):
		return gateway.Accepted{}, a.Unclear("an answer without the message's id")
	case m.Status == "failed" && known:
		return gateway.Accepted{}, meaning.refusal(strconv.Itoa(m.ErrorCode), 0)
	case m.Status == "failed":
		return gateway.Accepted{}, carrier.Unclear("the message was taken and failed: the carrier says", strconv.Itoa(m.ErrorCode))
	}
	return gateway.Accepted{ProviderID: m.SID}, nil
}

// isMessage says whether sid is that of a text or a multimedia message.
func isMessage(sid string) bool { return strings.HasPrefix(sid, "SM") || strings.HasPrefix(sid, "MM") }

// refused reads a 4xx. It is the vendor's if it repeats the status in its body, and a 429 is in any case: what gets one
// was never processed (twilio.com/docs/api/errors/20429, November 2026).
func refused(a carrier.Answer, now time.Time) error {
	var p problem
	err := a.JSON(&p)
	own := err == nil && p.Status == a.Status
	switch {
	case !own && a.Status == http.StatusTooManyRequests:
		p.Code = 0
	case err != nil:
		return err
	case !own:
		return a.Unclear("a refusal that is not the carrier's own")
	}
	meaning, known := codes[p.Code]
	if !known {
		meaning.reason = a.Class()
	}
	return meaning.refusal(name(p.Code, a.Status), a.RetryAfter(now))
}

// name returns the code, or what stands for one that is missing.
func name(code, status int) string {
	if code == 0 {
		return "status-" + strconv.Itoa(status)
	}
	return strconv.Itoa(code)
}
