package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"smsd/internal/policy"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// sink is a ResponseWriter that keeps nothing.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

func serve(b *testing.B, h http.Handler, path string, body func(i int) string, want int) {
	b.Helper()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+path, strings.NewReader(body(i)))
		r.RemoteAddr = "203.0.113.9:40000"
		r.Header.Set("Content-Type", "application/json")
		w := &sink{header: http.Header{}}
		h.ServeHTTP(w, r)
		if w.status != want {
			b.Fatalf("status %d, want %d", w.status, want)
		}
	}
}

// server is the public API to a server with a key.
func (a *api) server() http.Handler {
	key := "Bearer " + a.keys.Secret("default")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", key)
		a.public.ServeHTTP(w, r)
	})
}

func same(body string) func(int) string { return func(int) string { return body } }

func quiet(s *setup) {
	s.http.Logger = slog.New(slog.DiscardHandler)
	s.http.Dev = false
}

// BenchmarkBare is the floor: echo, no more.
func BenchmarkBare(b *testing.B) {
	e := echo.New()
	e.POST("/api/v1/sms/send", func(c echo.Context) error { return c.JSONBlob(http.StatusOK, []byte(`{}`)) })
	serve(b, e, "/api/v1/sms/send", same(`{"phone":"+8613800138000","scene":"login"}`), 200)
}

// BenchmarkNotFound is the outermost layer and a problem document.
func BenchmarkNotFound(b *testing.B) {
	a := newAPI(b, quiet)
	serve(b, a.public, "/nothing", same(`{}`), 404)
}

func BenchmarkInvalid(b *testing.B) {
	a := newAPI(b, quiet)
	serve(b, a.server(), "/api/v1/sms/send", same(`{"phone":1,"scene":"login"}`), 400)
}

// BenchmarkRefused is a send that the local layer refuses: everything but the stores.
func BenchmarkRefused(b *testing.B) {
	a := newAPI(b, quiet, func(s *setup) {
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1e-9, IPBurst: 1}
	})
	h, body := a.server(), `{"phone":"+8613800138000","scene":"login"}`
	h.ServeHTTP(&sink{header: http.Header{}}, request("POST", "http://127.0.0.1:8080/api/v1/sms/send", body)) // takes what there is
	serve(b, h, "/api/v1/sms/send", same(body), 429)
}

// BenchmarkSend is a send that is accepted, with the stores in the process.
func BenchmarkSend(b *testing.B) {
	a := newAPI(b, quiet, func(s *setup) { s.policy = openPolicy(b) })
	serve(b, a.server(), "/api/v1/sms/send", func(i int) string {
		return fmt.Sprintf(`{"phone":"+86138%08d","scene":"login"}`, i)
	}, 200)
}

// BenchmarkBind is the reading of a body alone: the strict decoder and the validator.
func BenchmarkBind(b *testing.B) {
	v, err := newValidation()
	if err != nil {
		b.Fatal(err)
	}
	body := []byte(`{"phone":"+8613800138000","scene":"login","locale":"zh-CN"}`)
	b.ReportAllocs()
	for b.Loop() {
		var in sendRequest
		if err := decode(body, &in, v.Validate); err != nil {
			b.Fatal(err)
		}
	}
}

// openPolicy is the built-in one's limits by number, without those by network and prefix, which one client
// and ascending numbers would reach.
func openPolicy(b *testing.B) *sms.Policy {
	b.Helper()
	p, _, err := policy.Parse([]byte(`
limits:
  - {name: phone-hour, by: [phone], limit: 5, window: 1h}
  - {name: phone-day, by: [phone], limit: 10, window: 24h}
  - {name: guesses, by: [phone, scene], limit: 10, window: 1h, on: guess}
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: ["*"]
    number_types: [mobile]
    templates: {en: "{{.Code}} is your login code."}
    limits: [{name: cooldown, by: [phone, scene], limit: 1, window: 60s}, {name: hour, by: [phone, scene], limit: 4, window: 1h}]
`))
	if err != nil {
		b.Fatal(err)
	}
	return p
}
