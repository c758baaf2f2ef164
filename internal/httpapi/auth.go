package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"smsd/internal/address"
	"smsd/internal/apikey"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// errNoKey is a request without a key where one is required.
var errNoKey = errors.New("httpapi: no API key")

// callers finds out which app sends a request, by its API key, and whether that key may be used for it.
type callers struct {
	keys     *apikey.Directory // nil: there are no keys
	required bool              // a request without a key is refused
	failures *throttle.Local
	clients  *clients
	metrics  *callerMetrics
	logger   *slog.Logger
	told     *rate.Sometimes
}

// How many requests that identify nobody are answered as such, a second: of one client address, and of all. A key can't be guessed
// in any number of tries; what is above is refused without a word in the log. An honest mistake is seen long before.
const (
	failuresOfOne = 10
	failuresOfAll = 1000
)

func newCallers(o Options, found *clients) (*callers, error) {
	failures, err := throttle.NewLocal(throttle.LocalOptions{
		Rate: failuresOfAll, Burst: failuresOfAll, IPRate: failuresOfOne, IPBurst: 2 * failuresOfOne, Now: o.now,
	})
	if err != nil {
		return nil, err
	}
	metrics, err := newCallerMetrics(o.Registerer)
	if err != nil {
		return nil, err
	}
	return &callers{
		keys: o.Keys, required: !o.Dev, failures: failures, clients: found, metrics: metrics,
		logger: o.Logger, told: &rate.Sometimes{Interval: logEvery},
	}, nil
}

// handler answers a request of which is known who sent it.
type handler func(c echo.Context, caller apikey.Caller) error

// anyKey lets through to next what any kind of key may ask for.
func (a *callers) anyKey(next handler) echo.HandlerFunc { return a.guard(next, allowed) }

// secretOnly lets through to next what only servers may ask for.
func (a *callers) secretOnly(next handler) echo.HandlerFunc { return a.guard(next, allowedServer) }

// guard calls next if the caller is known and allows has no objection.
func (a *callers) guard(next handler, allows func(apikey.Caller, *http.Request) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		caller, err := a.identify(r)
		if err != nil {
			return a.unknown(c, err)
		}
		if err := allows(caller, r); err != nil {
			return a.misused(c, caller, err)
		}
		a.metrics.count(caller.Kind, outcomeOK)
		return next(c, caller)
	}
}

// identify says who calls. Without a key, where none is required, it is the default app.
func (a *callers) identify(r *http.Request) (apikey.Caller, error) {
	given := r.Header[echo.HeaderAuthorization]
	if len(given) == 0 {
		if a.required {
			return apikey.Caller{}, errNoKey
		}
		return apikey.Caller{App: sms.DefaultApp}, nil
	}
	token, ok := bearer(given)
	if !ok || a.keys == nil {
		return apikey.Caller{}, &apikey.Refusal{Reason: apikey.Malformed}
	}
	return a.keys.Identify(token)
}

// bearer returns the token of an Authorization field (RFC 6750, section 2.1). Of two fields nobody knows which one counts.
func bearer(given []string) (token string, ok bool) {
	if len(given) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(given[0], " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// unknown tells of a request that identifies nobody, and returns what its client is told: the same whatever the reason, or,
// of a client that does not stop, to wait.
func (a *callers) unknown(c echo.Context, err error) error {
	if errors.Is(err, apikey.ErrNotLoaded) {
		a.metrics.unknown(outcomeNotLoaded)
		return err
	}
	client := a.clients.of(c.Request())
	if limited := a.failures.Allow(throttle.Send, client); limited != nil {
		a.metrics.unknown(outcomeLimited)
		return limited
	}
	outcome := outcomeMissing
	if refusal, ok := errors.AsType[*apikey.Refusal](err); ok {
		outcome = string(refusal.Reason)
		a.tellUnknown(c, refusal, client)
	}
	a.metrics.unknown(outcome)
	return err
}

// tellUnknown writes a line about a key that has ended once a minute for each, and about all others once a second; what is
// between is for those who debug.
func (a *callers) tellUnknown(c echo.Context, refusal *apikey.Refusal, client address.Addr) {
	level := slog.LevelDebug
	if refusal.KeyID != "" && a.keys.ShouldTell(refusal.KeyID) {
		level = slog.LevelInfo
	} else if refusal.KeyID == "" {
		a.told.Do(func() { level = slog.LevelInfo })
	}
	a.logger.LogAttrs(c.Request().Context(), level, "API key refused",
		slog.String("reason", string(refusal.Reason)), slog.String("key", refusal.KeyID), slog.String("app", refusal.App),
		slog.String("request_id", idOf(c)), slog.Any("client", client))
}
