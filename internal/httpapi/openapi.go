package httpapi

import (
	_ "embed"
	"net/http"

	"github.com/labstack/echo/v4"
)

// openAPIDocument is written by hand; the tests hold every answer against it.
//
//go:embed openapi.json
var openAPIDocument []byte

// openAPI answers GET /openapi.json.
func openAPI(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, openAPIDocument)
}
