package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// healthTimeout bounds the look at the stores: probes time out after a second by default (Kubernetes).
const healthTimeout = 900 * time.Millisecond

// notReadyError is an instance that can't serve; what it is asked to tell of its parts may be nil.
type notReadyError struct{ checks map[string]string }

func (e *notReadyError) Error() string { return "httpapi: not ready" }

type healthAnswer struct {
	Status string            `json:"status"` // ok, degraded
	Checks map[string]string `json:"checks,omitempty"`
}

// livez says that the process answers, and looks at nothing else.
func (s *core) livez(c echo.Context) error {
	return answer(c, http.StatusOK, &healthAnswer{Status: "ok"})
}

// readyz answers without details.
func (s *core) readyz(c echo.Context) error {
	h := s.health(c)
	h.Checks = nil
	return s.ready(c, h)
}

// ready answers 200, also where a store that was reached once is lost: were it 503, one blip of Redis
// would take every instance out of the load balancer at once.
func (s *core) ready(c echo.Context, h Health) error {
	switch {
	case !h.Ready:
		return &notReadyError{h.Checks}
	case h.Degraded:
		return answer(c, http.StatusOK, &healthAnswer{"degraded", h.Checks})
	}
	return answer(c, http.StatusOK, &healthAnswer{"ok", h.Checks})
}

func (s *core) health(c echo.Context) Health {
	ctx, cancel := context.WithTimeout(contextOf(c), healthTimeout)
	defer cancel()
	return s.Health(ctx)
}
