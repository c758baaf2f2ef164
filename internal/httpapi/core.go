package httpapi

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"
)

// core is what both listeners have.
type core struct {
	Options
	problems []*problem
	clients  *clients
	metrics  *metrics
	pages    *pages
	answers  answers
	// tellUnread lets through one line a second about records that can't be read: who asks may ask again at once.
	tellUnread rate.Sometimes
}

func newCore(o Options, listener string) (*core, error) {
	if o.Service == nil || o.Policy == nil || o.Health == nil {
		return nil, errors.New("httpapi: Service, Policy and Health are required")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	metrics, err := newMetrics(o.Registerer, listener)
	if err != nil {
		return nil, err
	}
	pages, err := newPages()
	if err != nil {
		return nil, err
	}
	return &core{
		Options: o, problems: newProblems(), clients: newClients(o.TrustedProxies, o.Logger),
		metrics: metrics, pages: pages, tellUnread: rate.Sometimes{Interval: time.Second},
	}, nil
}

// newEcho returns an echo that decodes, validates, finds clients and answers errors our way.
func (s *core) newEcho() (*echo.Echo, error) {
	validation, err := newValidation()
	if err != nil {
		return nil, err
	}
	e := echo.New()
	e.Binder = binder{}
	e.Validator = validation
	e.IPExtractor = s.clients.extract
	e.HTTPErrorHandler = func(err error, c echo.Context) { s.fail(c, err) }
	e.Logger.SetOutput(io.Discard) // echo's own logger: everything worth saying is said with slog
	e.Use(s.edge)
	return e, nil
}

// common registers what both listeners answer.
func (s *core) common(e *echo.Echo) {
	read(e, "/livez", s.livez)
	read(e, "/openapi.json", openAPI)
	read(e, "/problems", redirectTo("/problems/"))
	read(e, "/problems/", s.problemIndex)
	read(e, "/problems/:name", s.problemPage)
}

// read registers a resource that is only read; net/http drops the body of an answer to HEAD.
func read(e *echo.Echo, path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
	e.GET(path, h, m...)
	e.HEAD(path, h, m...)
}

func redirectTo(path string) echo.HandlerFunc {
	return func(c echo.Context) error { return c.Redirect(http.StatusPermanentRedirect, path) }
}
