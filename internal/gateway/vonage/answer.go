package vonage

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// accepted is the answer to a message that was taken.
type accepted struct {
	ID string `json:"message_uuid"`
}

// problem is the vendor's refusal (RFC 7807). Its other words may hold the number, so they are not read.
type problem struct {
	Type, Title string
	Parameters  []struct{ Name string } `json:"invalid_parameters"`
}

// outcome says what an answer means.
func outcome(a carrier.Answer, now time.Time) (gateway.Accepted, error) {
	switch {
	case a.OK():
		return taken(a)
	case a.Refuses():
		return gateway.Accepted{}, refused(a, now)
	}
	// Also where the vendor's own code is in it: its words do not say how far the message got.
	return gateway.Accepted{}, a.Unclear("the carrier failed")
}

// taken reads a 2xx, which is a 202 with an id.
func taken(a carrier.Answer) (gateway.Accepted, error) {
	var r accepted
	if err := a.JSON(&r); err != nil {
		return gateway.Accepted{}, err
	}
	if r.ID == "" {
		return gateway.Accepted{}, a.Unclear("an answer without the message's id")
	}
	return gateway.Accepted{ProviderID: r.ID}, nil
}

// refused reads a 4xx.
func refused(a carrier.Answer, now time.Time) error {
	var p problem
	if err := a.JSON(&p); err != nil {
		return err
	}
	code, own := p.code(a.Status)
	if !own {
		return a.Unclear("a refusal that is not the carrier's own")
	}
	reason := p.reason(code, a)
	if reason == gateway.Ambiguous {
		return carrier.Untold(code)
	}
	e := carrier.Refused(reason, code)
	e.RetryAfter = a.RetryAfter(now)
	return e
}

// code returns what ends the type, as 1150 of .../api-errors/messages#1150, or what stands for a code that is missing. It is the
// vendor's own if the type leads to the vendor's list of errors.
func (p problem) code(status int) (code string, own bool) {
	_, page, own := strings.Cut(p.Type, "/api-errors")
	if _, code, _ = strings.Cut(page, "#"); code == "" {
		code = "status-" + strconv.Itoa(status)
	}
	return code, own
}

// reason is what the problem says. In a 422 the numbers are not those of the vendor's list of errors (1120 is an unknown
// sender there and a forbidden one here, 1140 one thing and quite another), so its title goes before them.
func (p problem) reason(code string, a carrier.Answer) gateway.Reason {
	if a.Status == http.StatusUnprocessableEntity {
		if reason, known := titles[p.Title]; known {
			return p.ofParameters(reason)
		}
	}
	if reason, known := codes[code]; known {
		return p.ofParameters(reason)
	}
	return p.ofParameters(a.Class())
}

// ofParameters is more exact than reason where the vendor names the parameter that it refuses, and it is one of the message's.
func (p problem) ofParameters(reason gateway.Reason) gateway.Reason {
	has := func(name string) bool {
		return slices.ContainsFunc(p.Parameters, func(q struct{ Name string }) bool { return strings.TrimPrefix(q.Name, "$.") == name })
	}
	switch {
	case reason == gateway.Ambiguous:
	case has("to"):
		return gateway.BadNumber
	case has("text"):
		return gateway.Content
	}
	return reason
}
