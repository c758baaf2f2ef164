package httpapi

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"smsd/internal/secret"
)

// token asks for the admin token: as a bearer token, or, so that a browser can open pages, as the
// password of any user. The zero token asks for nothing.
type token struct{ want secret.Text }

func (t token) check(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if t.want.IsZero() || isOpen(c) || t.fits(c.Request()) {
			return next(c)
		}
		return errUnauthorized
	}
}

// isOpen lets probes and the explanation of problems through: neither tells anything of this instance.
func isOpen(c echo.Context) bool {
	switch c.Path() {
	case "/livez", "/problems", "/problems/", "/problems/:name":
		return true
	case "/readyz":
		return !isVerbose(c.Request())
	}
	return false
}

func (t token) fits(r *http.Request) bool {
	if _, password, ok := r.BasicAuth(); ok {
		return t.want.Equal(password)
	}
	scheme, given, _ := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " ")
	return strings.EqualFold(scheme, "Bearer") && t.want.Equal(strings.TrimSpace(given))
}
