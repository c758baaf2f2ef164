package httpapi

import (
	"net/http"
	"strings"
	"testing"
)

func TestCORS(t *testing.T) {
	t.Parallel()
	dev := newAPI(t)
	named := newAPI(t, func(s *setup) {
		s.http.Dev, s.http.CORSOrigins = false, []string{"https://shop.example", "http://app.example:8080"}
	})
	none := newAPI(t, func(s *setup) { s.http.Dev = false })
	for _, c := range []struct {
		name    string
		a       *api
		origin  string
		allowed bool
	}{
		{"dev", dev, "http://localhost:3000", true},
		{"dev", dev, "https://localhost", true},
		{"dev", dev, "http://127.0.0.1:5173", true},
		{"dev", dev, "http://[::1]:5173", true},
		{"dev", dev, "http://app.localhost:3000", true},
		{"dev", dev, "https://evil.example", false},
		{"dev", dev, "http://localhost.evil.example", false},
		{"dev", dev, "http://127.0.0.1.evil.example", false},
		{"dev", dev, "http://user@localhost", false},
		{"dev", dev, "ftp://localhost", false},
		{"dev", dev, "null", false},
		{"dev", dev, "http://localhost/path", false},
		{"named", named, "https://shop.example", true},
		{"named", named, "http://app.example:8080", true},
		{"named", named, "http://shop.example", false},
		{"named", named, "https://shop.example:444", false},
		{"named", named, "https://sub.shop.example", false},
		{"named", named, "http://localhost:3000", false},
		{"none", none, "http://localhost:3000", false},
	} {
		checkPreflight(t, c.a, c.name, c.origin, c.allowed)
		r := c.a.post("/api/v1/sms/send", `{}`, "Origin", c.origin)
		if got := r.header.Get("Access-Control-Allow-Origin"); got != "" != c.allowed || c.allowed && got != c.origin {
			t.Errorf("%s, %s: allowed %q", c.name, c.origin, got)
		}
		if want := map[bool]int{true: 400, false: 401}[c.name == "dev"]; r.status != want {
			t.Errorf("%s, %s: %d, want %d: CORS is the browser's business", c.name, c.origin, r.status, want)
		}
		if vary := r.header.Get("Vary"); !strings.Contains(vary, "Origin") {
			t.Errorf("%s, %s: Vary %q", c.name, c.origin, vary)
		}
		if r.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: credentials are allowed", c.name)
		}
	}
}

func checkPreflight(t *testing.T, a *api, name, origin string, allowed bool) {
	t.Helper()
	r := a.do(a.public, request(http.MethodOptions, "http://127.0.0.1:8080/api/v1/sms/send", "",
		"Origin", origin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type"))
	if r.status != http.StatusNoContent || len(r.body) != 0 {
		t.Errorf("%s, %s: preflight %d %s", name, origin, r.status, r.body)
	}
	methods := r.header.Get("Access-Control-Allow-Methods")
	if allowed != strings.Contains(methods, "POST") || allowed != (r.header.Get("Access-Control-Allow-Headers") != "") {
		t.Errorf("%s, %s: preflight %v", name, origin, r.header)
	}
}

func TestBadOriginsAreRefused(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"*", "shop.example", "https://shop.example/", "ftp://shop.example", "https://"} {
		if _, err := newOrigins([]string{origin}, false, nil); err == nil {
			t.Errorf("%q is taken", origin)
		}
	}
}

// OPTIONS without a preflight says what there is; HEAD is GET without a body.
func TestOptionsAndHead(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	r := a.do(a.public, request(http.MethodOptions, "http://127.0.0.1:8080/api/v1/sms/send", ""))
	if r.status != http.StatusNoContent || !strings.Contains(r.header.Get("Allow"), "POST") {
		t.Errorf("OPTIONS: %d %v", r.status, r.header)
	}
	for _, path := range []string{"/", "/livez", "/readyz", "/openapi.json", "/problems/", "/problems/internal"} {
		if r := a.do(a.public, request(http.MethodHead, "http://127.0.0.1:8080"+path, "")); r.status != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, r.status)
		}
	}
	if r := a.do(a.public, request(http.MethodHead, "http://127.0.0.1:8080/api/v1/sms/send", "")); r.status != http.StatusMethodNotAllowed {
		t.Errorf("HEAD of a POST: %d", r.status)
	}
}
