package httpapi

import "github.com/labstack/echo/v4"

// public is the public listener.
type public struct {
	*core
	callers  *callers
	receipts *receipts
}

func newPublic(o Options) (*echo.Echo, error) {
	core, err := newCore(o, "public")
	if err != nil {
		return nil, err
	}
	callers, err := newCallers(core.Options, core.clients)
	if err != nil {
		return nil, err
	}
	receipts, err := newReceipts(core)
	if err != nil {
		return nil, err
	}
	origins, err := newOrigins(o.CORSOrigins, o.Dev, o.Keys)
	if err != nil {
		return nil, err
	}
	e, err := core.newEcho()
	if err != nil {
		return nil, err
	}
	e.Use(origins.cors)
	if o.Dev {
		e.Use(origins.rebound)
	}
	(&public{core, callers, receipts}).routes(e)
	return e, nil
}

func (s *public) routes(e *echo.Echo) {
	s.common(e)
	read(e, "/readyz", s.readyz)
	e.POST("/api/v1/sms/send", s.callers.anyKey(s.send))
	e.POST("/api/v1/sms/resend", s.callers.anyKey(s.resend))
	e.POST("/api/v1/sms/verify", s.callers.anyKey(s.verify))
	if s.Receipts != nil {
		s.receipts.routes(e)
	}
	if s.Desk != nil {
		s.statusRoutes(e)
	}
	if s.Tokens != nil {
		read(e, "/.well-known/jwks.json", s.jwks)
		e.POST("/api/v1/tokens/consume", s.callers.secretOnly(s.consume))
	}
	if s.Dev {
		read(e, "/", s.tryIt)
	}
}
