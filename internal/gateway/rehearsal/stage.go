package rehearsal

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
)

// stage is where the vendor's fake gets one message.
type stage struct {
	vendor vendor
	// play lets the mock gateway take the message, on which later reports, and returns the fault that it has.
	play func(ctx context.Context, later call) (fault string)
}

// patience bounds what a stranger who finds the port can hold up; the driver is there at once.
const patience = 5 * time.Second

// serve has h at url until end is called, which waits for all of it.
func serve(h http.Handler) (url string, end func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: patience, ReadTimeout: patience, MaxHeaderBytes: 64 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(l) // ends with Close
	}()
	return "http://" + l.Addr().String(), func() { _ = server.Close(); <-ended }, nil
}

// ServeHTTP lets the fake answer, and gives on what the fault leaves of it.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := ""
	answer := &answer{header: http.Header{}, status: http.StatusOK}
	s.vendor.carrier(func(later call) gateway.Reason {
		fault = s.play(r.Context(), later)
		return reasons[fault]
	}).ServeHTTP(answer, r)
	switch fault {
	case mock.TimeoutBeforeAccept, mock.TimeoutAfterAccept:
		panic(http.ErrAbortHandler) // net/http hangs up
	case mock.Malformed:
		answer.page()
	}
	answer.to(w)
}

// reasons are the faults that the vendor has words for.
var reasons = map[string]gateway.Reason{
	mock.Reject:      gateway.BadNumber,
	mock.Throttle:    gateway.Throttled,
	mock.Unavailable: gateway.Temporary,
}

// answer is what the fake says, kept until it is known what becomes of it.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer // the fakes' answers are small: they hold what they were sent, which is bounded
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

// page is what something in between says.
func (a *answer) page() {
	a.header = http.Header{"Content-Type": {"text/html"}}
	a.body.Reset()
	a.body.WriteString("<html><body>It works!</body></html>")
}

func (a *answer) to(w http.ResponseWriter) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body.Bytes())
}
