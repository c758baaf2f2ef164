package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"smsd/internal/gateway"
)

// Bounds of a carrier's call with receipts. Carriers send one to some hundreds of receipts at once, of 200 to 500 bytes.
const (
	maxReceiptBody = 256 << 10
	maxReceipts    = 1000
	// receiptTimeout is for all of a call once its body is there: a reader may fetch a certificate of its carrier, and rows
	// may take [records.MaxWait]. A long body may wait as long again for its place before.
	receiptTimeout = 5 * time.Second
	// maxReceiptCalls run at once; others wait for their turn as long as they have time. A call whose signature is wrong has its turn
	// for some microseconds, the HMAC of its body, and asks no store.
	maxReceiptCalls = 64
	// maxLongCalls with bodies that may be longer than other requests' are held at once, 16 MiB of them: they are there before anybody
	// knows who sends them, and whoever keeps back the end of each has [readTimeout]. So one address has no more than an eighth: a
	// carrier's long body is there within a moment, so that eight at once are hundreds a second.
	maxLongCalls, maxLongCallsOfOne = 64, 8
)

// receipts takes what carriers report. They have no API key: the gateway's driver knows how its carrier proves itself.
type receipts struct {
	*core
	metrics *receiptMetrics
	turns   chan struct{}
	long    *places // of calls with long bodies
	// tellRefused lets through one line a second about calls that are refused: who forges them may go on for ever.
	tellRefused rate.Sometimes
}

func newReceipts(c *core) (*receipts, error) {
	metrics, err := newReceiptMetrics(c.Registerer)
	if err != nil {
		return nil, err
	}
	return &receipts{
		core: c, metrics: metrics, turns: make(chan struct{}, maxReceiptCalls), long: newPlaces(maxLongCalls, maxLongCallsOfOne),
		tellRefused: rate.Sometimes{Interval: time.Second},
	}, nil
}

func (s *receipts) routes(e *echo.Echo) {
	e.POST("/api/v1/gateways/:gateway/receipts", s.take)
	e.POST("/api/v1/gateways/:gateway/receipts/:secret", s.take)
}

// take answers POST /api/v1/gateways/GATEWAY/receipts.
func (s *receipts) take(c echo.Context) error {
	name := c.Param("gateway")
	reader, found := s.Receipts(name)
	if !found {
		return echo.ErrNotFound
	}
	n, err := s.read(c, name, reader)
	s.metrics.count(name, err)
	if err != nil {
		s.refused(c, name, err)
		return err
	}
	if a, particular := reader.(gateway.ReceiptAnswerer); particular {
		kind, body := a.ReceiptAnswer()
		return c.Blob(http.StatusOK, kind, body)
	}
	return answer(c, http.StatusOK, map[string]int{"received": n})
}

// read authenticates and reads a call, and returns how many receipts of it were taken.
func (s *receipts) read(c echo.Context, name string, reader gateway.ReceiptReader) (int, error) {
	leave, err := s.room(c.Request())
	if err != nil {
		return 0, err
	}
	defer leave()
	post, err := s.post(c)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(contextOf(c), receiptTimeout)
	defer cancel()
	done, err := turn(ctx, s.turns)
	if err != nil {
		return 0, err
	}
	defer done()
	found, err := reader.Receipts(ctx, post)
	if err != nil {
		return 0, err
	}
	if len(found) > maxReceipts {
		return 0, errBodyTooLarge
	}
	return len(found), s.Service.Receive(ctx, name, found)
}

// room waits for a place for the call's body. One that is no longer than other requests' needs none, and one that is too long is
// not read.
func (s *receipts) room(r *http.Request) (leave func(), err error) {
	if n := lengthOf(r); n <= maxBody || n > maxReceiptBody {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), receiptTimeout)
	defer cancel()
	return s.long.take(ctx, s.clients.of(r))
}

// lengthOf is how long a body is. One that does not say it is read as far as other requests' may be, for which nobody needs a place: it is
// that long, or longer than maxBody.
func lengthOf(r *http.Request) int64 {
	if r.ContentLength >= 0 {
		return r.ContentLength
	}
	start, _ := io.ReadAll(io.LimitReader(r.Body, maxBody+1)) // its error comes again where the rest is read
	r.Body = begunBody{io.MultiReader(bytes.NewReader(start), r.Body), r.Body}
	return int64(len(start))
}

// begunBody is a body of which some was read before.
type begunBody struct {
	io.Reader
	io.Closer
}

// post is the call as drivers read it.
func (s *receipts) post(c echo.Context) (gateway.Post, error) {
	r := c.Request()
	if isEncoded(r.Header) {
		return gateway.Post{}, errMediaType
	}
	body, err := readReceipts(c)
	if err != nil {
		return gateway.Post{}, err
	}
	return gateway.Post{URL: s.urlOf(r), Secret: c.Param("secret"), Header: r.Header, Body: body, Now: s.clock()}, nil
}

func (s *receipts) clock() time.Time {
	if s.now != nil {
		return s.now()
	}
	return time.Now()
}

// refused tells of a call that came to nothing, and nothing of what was in it.
func (s *receipts) refused(c echo.Context, name string, err error) {
	if outcome := outcomeOfReceipts(err); outcome == receiptsUnavailable || outcome == receiptsBroken {
		return // records and the edge tell
	}
	s.tellRefused.Do(func() { s.logRefused(c, name, err) })
}

// readReceipts reads a body of whatever type.
func readReceipts(c echo.Context) ([]byte, error) {
	body, err := readUpTo(c, maxReceiptBody)
	if _, cutOff := errors.AsType[*bindError](err); cutOff {
		return nil, gateway.ErrUnreadable
	}
	return body, err
}
