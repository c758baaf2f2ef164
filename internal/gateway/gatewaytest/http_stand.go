package gatewaytest

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
)

// stand is what stands between a driver and its carrier: it plays the scenarios of HTTP, and hands on the others.
type stand struct {
	vendor    *Vendor
	own       http.Handler // the carrier, in its own words
	elsewhere string       // the URL of a host at which nothing may arrive
}

// ServeHTTP implements [http.Handler].
func (s *stand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.vendor.Scenario == lossy {
		s.loses(w, r)
		return
	}
	echo := received(r)
	s.vendor.Reached()
	switch s.vendor.Scenario {
	case LostBefore:
		panic(http.ErrAbortHandler)
	case LostAfter:
		s.take(r)
		panic(http.ErrAbortHandler)
	case Silent:
		s.take(r)
		s.wait(r)
	case slow:
		s.answerLate(w, r)
	default:
		s.answer(w, r, echo)
	}
}

// answer writes the answer of the scenario's row, or else what the carrier itself says.
func (s *stand) answer(w http.ResponseWriter, r *http.Request, echo []byte) {
	for _, a := range answers {
		if a.scenario == s.vendor.Scenario || s.vendor.Scenario == Malformed {
			a.write(s, w, reply{echo: echo, accepted: s.take(r)})
			return
		}
	}
	s.own.ServeHTTP(w, r)
}

// take lets the carrier take the message, and returns what it would have answered.
func (s *stand) take(r *http.Request) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	s.own.ServeHTTP(answer, r)
	return answer
}

// wait says nothing until nobody listens any more.
func (s *stand) wait(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.vendor.Over():
	}
}

// maxRequest is far above what one message needs.
const maxRequest = 1 << 20

// received reads r whole, so that it can be read again, and returns all that is in it, for an answer to repeat.
func received(r *http.Request) []byte {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	r.Body = io.NopCloser(bytes.NewReader(body))
	head, _ := httputil.DumpRequest(r, false)
	return bytes.Join([][]byte{[]byte(r.URL.Query().Encode()), head, body}, []byte(" "))
}

// raw answers with text as it stands, and ends the connection: with a reset if it is told to.
func raw(w http.ResponseWriter, text []byte, reset bool) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err) // the suite's own server has connections
	}
	defer c.Close()
	_, _ = c.Write(text)
	if t, ok := c.(*net.TCPConn); ok && reset {
		_ = t.SetLinger(0)
	}
}

// silent is the log of servers that are told to hang up.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }
