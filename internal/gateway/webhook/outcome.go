package webhook

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// said is what a receiver may say in its answer. Both fields that are not words are read apart, so that one of another
// type takes nothing from the others.
type said struct {
	ID         json.RawMessage `json:"id"`
	Reason     gateway.Reason  `json:"reason"`
	RetryAfter json.RawMessage `json:"retry_after"`
}

// outcome says what an answer means. A 2xx is the receiver's word that it took the message; a reason, that it did not.
// Without a reason a 4xx says by itself that it was not carried out, while a 5xx may come from something in between,
// after the receiver had it.
func outcome(a carrier.Answer, now time.Time) (gateway.Accepted, error) {
	if a.OK() {
		return accepted(a)
	}
	var s said
	_ = json.Unmarshal(a.Body, &s) // what can't be read has given no reason
	reason := s.Reason
	if !slices.Contains(gateway.Reasons(), reason) {
		reason = byStatus(a.Status)
	}
	if reason == gateway.Ambiguous {
		return gateway.Accepted{}, a.Unclear("the receiver's answer does not tell what became of it")
	}
	refused := carrier.Refused(reason, strconv.Itoa(a.Status))
	if reason == gateway.Throttled {
		refused.RetryAfter = wait(s.RetryAfter, a, now)
	}
	return gateway.Accepted{}, refused
}

// byStatus is what a status means alone.
func byStatus(status int) gateway.Reason {
	switch {
	case status == http.StatusConflict: // it knows this id, and may have it
		return gateway.Ambiguous
	case status == http.StatusTooManyRequests:
		return gateway.Throttled
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly: // it has not got all of it, or not looked at it
		return gateway.Temporary
	case status/100 == 4:
		return gateway.Configuration
	}
	return gateway.Ambiguous
}

// accepted reads a 2xx: nothing, ok, or an object, which may have an id. Anything else comes from somebody who does not
// know what was asked, as a page to log in does, and an object with a reason contradicts itself.
func accepted(a carrier.Answer) (gateway.Accepted, error) {
	body := bytes.TrimSpace(a.Body)
	if len(body) == 0 || strings.EqualFold(string(body), "ok") {
		return gateway.Accepted{}, nil
	}
	var s said
	if err := a.JSON(&s); err != nil {
		return gateway.Accepted{}, err
	}
	if s.Reason != "" {
		return gateway.Accepted{}, a.Unclear("a reason not to take the message")
	}
	return gateway.Accepted{ProviderID: text(s.ID)}, nil
}

// text returns an id that is a string or a number, if it is short and printable.
func text(raw json.RawMessage) string {
	var id string
	if err := json.Unmarshal(raw, &id); err != nil {
		var number json.Number
		if json.Unmarshal(raw, &number) != nil {
			return ""
		}
		id = number.String()
	}
	odd := strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r > '~' })
	if odd >= 0 || len(id) > gateway.MaxProviderID {
		return ""
	}
	return id
}

// wait is the seconds in the body, rounded up, else the answer's Retry-After.
func wait(raw json.RawMessage, a carrier.Answer, now time.Time) time.Duration {
	var seconds float64
	if len(raw) == 0 || json.Unmarshal(raw, &seconds) != nil || seconds <= 0 {
		return a.RetryAfter(now)
	}
	return time.Duration(math.Ceil(min(seconds, carrier.MaxRetryAfter.Seconds()))) * time.Second
}
