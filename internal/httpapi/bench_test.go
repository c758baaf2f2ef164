package httpapi

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
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

// serve measures h with one request after another, of which it makes nothing anew but what the answer's header is kept in, as
// net/http does: what is counted is the handler's.
func serve(b *testing.B, h http.Handler, path, key string, body func(i int) string, want int) {
	b.Helper()
	r := request(http.MethodPost, "http://127.0.0.1:8080"+path, "{}")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	text := &strings.Reader{}
	r.Body = io.NopCloser(text)
	w := &sink{}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		text.Reset(body(i))
		r.ContentLength = text.Size()
		w.header = http.Header{}
		h.ServeHTTP(w, r)
		if w.status != want {
			b.Fatalf("status %d, want %d", w.status, want)
		}
	}
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
	serve(b, e, "/api/v1/sms/send", "", same(`{"phone":"+8613800138000","scene":"login"}`), 200)
}

// BenchmarkNotFound is the outermost layer and a problem document.
func BenchmarkNotFound(b *testing.B) {
	a := newAPI(b, quiet)
	serve(b, a.public, "/nothing", "", same(`{}`), 404)
}

func BenchmarkInvalid(b *testing.B) {
	a := newAPI(b, quiet)
	serve(b, a.public, "/api/v1/sms/send", a.keys.Secret("default"), same(`{"phone":1,"scene":"login"}`), 400)
}

// BenchmarkRefused is a send that the local layer refuses: everything but the stores.
func BenchmarkRefused(b *testing.B) {
	a := newAPI(b, quiet, func(s *setup) {
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1e-9, IPBurst: 1}
	})
	key, body := a.keys.Secret("default"), `{"phone":"+8613800138000","scene":"login"}`
	first := request(http.MethodPost, "http://127.0.0.1:8080/api/v1/sms/send", body, "Authorization", "Bearer "+key)
	a.public.ServeHTTP(&sink{header: http.Header{}}, first) // takes what there is
	serve(b, a.public, "/api/v1/sms/send", key, same(body), 429)
}

// BenchmarkSend is a send that is accepted, with the stores in the process, by a server: its answer tells of the limits.
func BenchmarkSend(b *testing.B) {
	a := newAPI(b, quiet, func(s *setup) { s.policy = openPolicy(b) })
	serve(b, a.public, "/api/v1/sms/send", a.keys.Secret("default"), newNumber, 200)
}

// BenchmarkSendOfApp is one by an app on a phone, whose answer does not.
func BenchmarkSendOfApp(b *testing.B) {
	a := newAPI(b, quiet, func(s *setup) { s.policy = openPolicy(b) })
	key, _ := a.keys.Make(apikey.Draft{App: "default", Kind: apikey.Publishable, Name: "app"})
	serve(b, a.public, "/api/v1/sms/send", key, newNumber, 200)
}

// newNumber asks for another number each time. Its two allocations are among those that are counted.
func newNumber(i int) string { return fmt.Sprintf(`{"phone":"+86138%08d","scene":"login"}`, i) }

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
