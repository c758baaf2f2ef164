package httpapi

import (
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// admin is the admin listener.
type admin struct {
	*core
	// waiting holds one token for each long poll: see maxWaiting.
	waiting chan struct{}
	// exports holds one for each export.
	exports chan struct{}
	// stopping is closed when long polls must end.
	stopping chan struct{}
}

// drainable is a handler whose long polls must end before its server can be shut down.
type drainable struct {
	http.Handler
	admin *admin
	once  sync.Once
}

func (d *drainable) drain() { d.once.Do(func() { close(d.admin.stopping) }) }

func newAdmin(o Options) (*drainable, error) {
	core, err := newCore(o, "admin")
	if err != nil {
		return nil, err
	}
	e, err := core.newEcho()
	if err != nil {
		return nil, err
	}
	s := &admin{core, make(chan struct{}, maxWaiting), make(chan struct{}, maxExports), make(chan struct{})}
	e.Use(newGuard(o.AdminHosts).check, token{o.AdminToken}.check)
	s.routes(e)
	return &drainable{Handler: e, admin: s}, nil
}

func (s *admin) routes(e *echo.Echo) {
	s.common(e)
	read(e, "/", s.index)
	read(e, "/readyz", s.readyzVerbose)
	if s.Gatherer != nil {
		read(e, "/metrics", echo.WrapHandler(promhttp.HandlerFor(s.Gatherer, promhttp.HandlerOpts{
			ErrorHandling:       promhttp.ContinueOnError, // one broken collector hides no other
			MaxRequestsInFlight: 4,
		})))
	}
	if s.Desk != nil {
		read(e, "/api/v1/verifications", s.verifications)
		read(e, "/api/v1/decisions", s.decisions)
	}
	profiles(e)
	if s.Mock != nil {
		s.mockRoutes(e)
	}
}

func (s *admin) mockRoutes(e *echo.Echo) {
	read(e, "/mock/", s.inbox)
	read(e, "/mock", redirectTo("/mock/"))
	read(e, "/mock/messages", s.messages)
	read(e, "/mock/messages/wait", s.waitForMessage)
	e.DELETE("/mock/messages", s.clearMessages)
	read(e, "/mock/faults", s.faults)
	e.PUT("/mock/faults", s.setFault)
	e.DELETE("/mock/faults", s.clearFaults)
	e.POST("/mock/receipts", s.report)
	if s.Dev {
		e.DELETE("/mock/limits", s.resetLimits)
		e.POST("/mock/clock", s.advanceClock)
	}
}

// link is one line of the admin index.
type link struct{ Path, About string }

// index answers GET / with what there is.
func (s *admin) index(c echo.Context) error {
	links := []link{
		{"/readyz?verbose", "Is it ready, and how are its parts?"},
		{"/metrics", "Counters, for Prometheus"},
		{"/debug/pprof/", "Profiles"},
		{"/openapi.json", "What every call takes and answers"},
		{"/problems/", "What can go wrong, and what to do then"},
	}
	if s.Desk != nil {
		links = append(links,
			link{"/api/v1/verifications", "What was accepted, and what became of it"},
			link{"/api/v1/decisions", "What was decided of each attempt, and why"})
	}
	if s.Mock != nil {
		links = append([]link{{"/mock/", "The inbox of the mock gateway"}}, links...)
	}
	return s.pages.show(c, "admin", links)
}

// readyzVerbose answers with the state of each part if the query has verbose.
func (s *admin) readyzVerbose(c echo.Context) error {
	if !isVerbose(c.Request()) {
		return s.readyz(c)
	}
	return s.ready(c, s.health(c))
}

func isVerbose(r *http.Request) bool { return r.URL.Query().Has("verbose") }
