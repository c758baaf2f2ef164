package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/proof"
)

// consume answers POST /api/v1/tokens/consume. The caller's app is whose token it must be.
func (s *public) consume(c echo.Context, caller apikey.Caller) error {
	var in consumeRequest
	if err := c.Bind(&in); err != nil {
		return err
	}
	proven, err := s.Tokens.Consume(contextOf(c), in.Token, proof.Want{
		App: caller.App, Audience: in.Audience, Scene: in.Scene, Nonce: in.Nonce,
	})
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, &consumedAnswer{
		Valid: true, SMSID: proven.SMSID, Phone: proven.Phone.E164(), Scene: proven.Scene, App: proven.App,
		VerifiedAt: proven.VerifiedAt, JTI: proven.JTI,
	})
}
