package httpapi

import (
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/proof"
)

const typeJWKSet = "application/jwk-set+json" // RFC 7517, section 8.5.2

// jwks answers GET /.well-known/jwks.json: public keys, for backends, pages of any origin and caches on the way.
func (s *public) jwks(c echo.Context) error {
	set, err := s.Tokens.JWKS()
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Del(echo.HeaderVary) // the same for every origin
	h.Set(echo.HeaderAccessControlAllowOrigin, "*")
	h.Set(echo.HeaderCacheControl, fmt.Sprintf("public, max-age=%d", proof.MaxAge/time.Second))
	return c.Blob(http.StatusOK, typeJWKSet, set)
}
