package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/requestid"
)

const headerRequestID = "X-Request-Id"

// Header values that every answer shares. Nobody appends to them: the slices are full.
var (
	noStore = []string{"no-store"}
	noSniff = []string{"nosniff"}
)

// edge is the outermost layer: it names the request, answers what failed, and writes down what became
// of it. A panic is a 500 like any other.
func (s *core) edge(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		h := c.Response().Header()
		h[headerRequestID] = []string{requestid.New()}
		h["Cache-Control"] = noStore
		h["X-Content-Type-Options"] = noSniff
		code := ""
		defer func() { s.observe(c, code, time.Since(start)) }() // also where fail hangs up
		if err := s.caught(next, c); err != nil {
			code = s.fail(c, err)
		}
		return nil
	}
}

// idOf is the request's id, as its answer states it.
func idOf(c echo.Context) string { return c.Response().Header().Get(headerRequestID) }

// contextOf is the request's context with its id, for what may be logged behind a handler. The id is not in the context
// of the request itself, which would have to be copied for it.
func contextOf(c echo.Context) context.Context {
	return requestid.With(c.Request().Context(), idOf(c))
}

// panicked is a panic as an error. It holds the value's type, and its text only where that is the
// runtime's: any other may quote what it was working on.
type panicked struct {
	what  string
	stack []byte
}

func (p *panicked) Error() string { return "httpapi: panic: " + p.what }

func (s *core) caught(next echo.HandlerFunc, c echo.Context) (err error) {
	defer func() {
		switch v := recover(); v := v.(type) {
		case nil:
		case runtime.Error:
			err = &panicked{v.Error(), debug.Stack()}
		default:
			if v == http.ErrAbortHandler {
				panic(v) // the way to hang up
			}
			err = &panicked{fmt.Sprintf("%T", v), debug.Stack()}
		}
	}()
	return next(c)
}

// fail answers err, and returns the problem's code. What no row knows goes to the log.
func (s *core) fail(c echo.Context, err error) string {
	p := find(s.problems, err)
	ctx, id := c.Request().Context(), idOf(c)
	if p == s.problems[len(s.problems)-1] {
		s.logUnknown(ctx, c, id, err)
	}
	if c.Response().Committed {
		panic(http.ErrAbortHandler) // too late to say it: a cut answer is better than a wrong one
	}
	if err := p.document(err, id).write(c); err != nil {
		s.Logger.DebugContext(ctx, "answer not written", "request_id", id, "error", err)
	}
	return p.code
}

func (s *core) logUnknown(ctx context.Context, c echo.Context, id string, err error) {
	attrs := []slog.Attr{slog.String("request_id", id), slog.String("route", route(c)), slog.Any("error", err)}
	if p, ok := err.(*panicked); ok {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	s.Logger.LogAttrs(ctx, slog.LevelError, "request failed", attrs...)
}

// observe counts the request and writes its line to the log.
func (s *core) observe(c echo.Context, code string, took time.Duration) {
	status := c.Response().Status
	s.metrics.observe(method(c), route(c), status, took)
	level := slog.LevelDebug
	if isOurs(status) && status != http.StatusServiceUnavailable {
		level = slog.LevelInfo // a 503 comes by the thousand, and the domain has told of it, sampled
	}
	ctx := c.Request().Context()
	if !s.Logger.Enabled(ctx, level) {
		return
	}
	s.Logger.LogAttrs(ctx, level, "request",
		slog.String("method", method(c)), slog.String("route", route(c)), slog.Int("status", status),
		slog.String("code", code), slog.Duration("duration", took),
		slog.String("request_id", idOf(c)), slog.Any("client", s.clients.of(c.Request())))
}

// route is the template that matched: a raw path would be the client's to choose.
func route(c echo.Context) string {
	if path := c.Path(); path != "" {
		return path
	}
	return "unmatched"
}

// method is one of the methods that there are, for the same reason.
func method(c echo.Context) string {
	switch m := c.Request().Method; m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return m
	}
	return "other"
}
