package httpapi

import (
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// maxProfile bounds a profile: longer ones only grow the file.
const maxProfile = 5 * time.Minute

// profiles registers net/http/pprof by hand. The command line is left out: it may hold a secret.
func profiles(e *echo.Echo) {
	read(e, "/debug/pprof", redirectTo("/debug/pprof/"))
	read(e, "/debug/pprof/", echo.WrapHandler(http.HandlerFunc(pprof.Index)))
	read(e, "/debug/pprof/profile", bounded(pprof.Profile))
	read(e, "/debug/pprof/trace", bounded(pprof.Trace))
	read(e, "/debug/pprof/symbol", echo.WrapHandler(http.HandlerFunc(pprof.Symbol)))
	for _, name := range []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"} {
		read(e, "/debug/pprof/"+name, bounded(pprof.Handler(name).ServeHTTP))
	}
}

// bounded refuses a profile that takes too long, and makes room for one that takes longer than the
// server's time-outs.
func bounded(profile http.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		seconds := c.QueryParam("seconds")
		if seconds == "" {
			seconds = "30" // pprof's own
		}
		n, err := strconv.ParseFloat(seconds, 64)
		if err != nil || !(n >= 0 && n <= maxProfile.Seconds()) {
			return &bindError{[]fault{atParameter("seconds", codeInvalid)}}
		}
		extend(c, time.Duration(n*float64(time.Second)))
		profile(c.Response(), c.Request())
		return nil
	}
}

// extend moves the connection's deadlines so that an answer may begin after wait. The reading one too: when
// it passes, net/http ends the request's context.
func extend(c echo.Context, wait time.Duration) {
	control := http.NewResponseController(c.Response().Writer)
	_ = control.SetReadDeadline(time.Now().Add(wait + readTimeout)) // no connection (a test's recorder): no deadline
	_ = control.SetWriteDeadline(time.Now().Add(wait + writeTimeout))
}
