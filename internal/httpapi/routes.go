package httpapi

import "github.com/labstack/echo/v4"

// public is the public listener.
type public struct{ *core }

func newPublic(o Options) (*echo.Echo, error) {
	core, err := newCore(o, "public")
	if err != nil {
		return nil, err
	}
	origins, err := newOrigins(o.CORSOrigins, o.Dev)
	if err != nil {
		return nil, err
	}
	e, err := core.newEcho()
	if err != nil {
		return nil, err
	}
	e.Use(origins.cors)
	(&public{core}).routes(e)
	return e, nil
}

func (s *public) routes(e *echo.Echo) {
	s.common(e)
	read(e, "/readyz", s.readyz)
	e.POST("/api/v1/sms/send", s.send)
	e.POST("/api/v1/sms/resend", s.resend)
	e.POST("/api/v1/sms/verify", s.verify)
	if s.Dev {
		read(e, "/", s.tryIt)
	}
}
