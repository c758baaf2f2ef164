package httpapi

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
)

// logEvery is how often the log is told of keys that nobody has.
const logEvery = time.Second

// misuse is a good key in a place where it may not be used.
type misuse struct{ outcome, detail string }

func (m *misuse) Error() string { return "httpapi: " + m.detail }

// The misuses. What they say is sent to the client.
var (
	errForeignPage = &misuse{outcomeOrigin, "This publishable key is not for pages of this origin: list the origin with the key, exactly as the browser sends it."}
	errNoPage      = &misuse{outcomeOrigin, "This publishable key is for web pages, whose browsers send Origin. Use a publishable key without origins in an app, and a secret key on a server."}
	errNoPages     = &misuse{outcomeOrigin, "This publishable key has no origins, and is not for web pages: use one that lists the page's origin."}
	errLeaked      = &misuse{outcomeLeaked, "A secret key must never be in a browser: whoever opens the page can read it. Revoke this key, and use a publishable one there."}
	errServersOnly = &misuse{outcomeSecretOnly, "Only servers may ask for this: use a secret key, from a server."}
)

// allowed says what speaks against a caller with any kind of key. A browser sends Origin with every request but GET and HEAD
// (Fetch, section 3.2), and a page can't change it. So a publishable key that lists origins is taken with one of
// them and never without: it is for pages alone. One that lists none is for apps on phones, and is taken from no page: then a key
// that was read out of an app is of no use to a page.
func allowed(caller apikey.Caller, r *http.Request) error {
	origins := r.Header[echo.HeaderOrigin]
	switch {
	case caller.Kind == apikey.Secret && len(origins) > 0:
		return errLeaked
	case caller.Kind != apikey.Publishable:
		return nil
	case !caller.OfPages() && len(origins) > 0:
		return errNoPages
	case caller.OfPages() && len(origins) == 0:
		return errNoPage
	case caller.OfPages() && (len(origins) > 1 || !caller.Allows(origins[0])):
		return errForeignPage
	}
	return nil
}

// allowedServer says what speaks against a caller that should be a server. In the profile dev that may be one without a key, but
// no page.
func allowedServer(caller apikey.Caller, r *http.Request) error {
	if err := allowed(caller, r); err != nil {
		return err
	}
	if caller.Kind == apikey.Publishable || len(r.Header[echo.HeaderOrigin]) > 0 {
		return errServersOnly
	}
	return nil
}

// misused tells of a misuse. A secret key in a browser has leaked: that is worth a warning, once a minute for each key.
func (a *callers) misused(c echo.Context, caller apikey.Caller, err error) error {
	found, ok := err.(*misuse)
	if !ok {
		return err
	}
	a.metrics.count(caller.Kind, found.outcome)
	if found == errLeaked && a.keys.ShouldTell(caller.KeyID) {
		a.tellLeaked(c, caller)
	}
	return err
}

func (a *callers) tellLeaked(c echo.Context, caller apikey.Caller) {
	a.logger.LogAttrs(c.Request().Context(), slog.LevelWarn, "a secret API key came from a browser: whoever opens that page can read it; make another one and revoke it",
		slog.String("key", caller.KeyID), slog.String("app", caller.App), slog.String("request_id", idOf(c)))
}
