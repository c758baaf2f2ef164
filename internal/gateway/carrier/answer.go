package carrier

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"smsd/internal/gateway"
)

// Answer is what a carrier said.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // at most MaxAnswer bytes
}

// OK reports whether the status is a 2xx.
func (a Answer) OK() bool { return a.Status/100 == 2 }

// Unclear is [Unclear] by the answer's status.
func (a Answer) Unclear(what string) *gateway.Error {
	return Unclear(what+", status", status(a.Status))
}

// JSON reads the body into the struct that into points to. What is not one JSON object that fits is an Ambiguous
// [*gateway.Error]; into may be half filled then.
func (a Answer) JSON(into any) error {
	if !bytes.HasPrefix(bytes.TrimLeft(a.Body, " \t\r\n"), []byte("{")) {
		return a.Unclear("the answer is not JSON")
	}
	if err := json.Unmarshal(a.Body, into); err != nil { // its text holds parts of the body
		return a.Unclear("the answer is not the JSON expected")
	}
	return nil
}

// MaxRetryAfter bounds what a carrier can make us wait: the longest limits on a number are by the day.
const MaxRetryAfter = 24 * time.Hour

// RetryAfter returns the wait of the answer's Retry-After (RFC 9110, section 10.2.3: seconds, or a date), from 0 to
// [MaxRetryAfter]; 0 if there is none that can be read.
func (a Answer) RetryAfter(now time.Time) time.Duration {
	text := a.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, MaxRetryAfter)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, at.Sub(now)), MaxRetryAfter)
	}
	return 0
}

func status(code int) string { return strconv.Itoa(code) }
