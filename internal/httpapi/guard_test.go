package httpapi

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"

	"smsd/internal/secret"
)

// A page whose name resolves to this machine (DNS rebinding) and pages of other origins get nothing.
func TestGuard(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.AdminHosts = []string{"Ops.example"} })
	for _, c := range []struct {
		host   string
		header []string
		ok     bool
	}{
		{"127.0.0.1:8081", nil, true},
		{"127.9.9.9", nil, true},
		{"localhost", nil, true},
		{"LOCALHOST:1", nil, true},
		{"admin.localhost:8081", nil, true},
		{"[::1]:8081", nil, true},
		{"[::1]", nil, true},
		{"[::ffff:127.0.0.1]:8081", nil, true},
		{"ops.example:8081", nil, true},
		{"evil.example", nil, false},
		{"evil.example:8081", nil, false},
		{"localhost.evil.example", nil, false},
		{"127.0.0.1.evil.example", nil, false},
		{"evillocalhost", nil, false},
		{"192.168.0.7:8081", nil, false},
		{"10.0.0.7:8081", nil, true}, // where the connection arrived, see below
		{"", nil, false},
		{"127.0.0.1:8081", []string{"Origin", "http://127.0.0.1:8081"}, true},
		{"127.0.0.1:8081", []string{"Origin", "http://127.0.0.1:8080"}, false},
		{"127.0.0.1:8081", []string{"Origin", "http://localhost:8081"}, false},
		{"127.0.0.1:8081", []string{"Origin", "https://evil.example"}, false},
		{"127.0.0.1:8081", []string{"Origin", "null"}, false},
		{"127.0.0.1:8081", []string{"Origin", ""}, false},
		{"127.0.0.1:8081", []string{"Origin", "http://127.0.0.1:8081", "Origin", "https://evil.example"}, false},
		{"127.0.0.1:8081", []string{"Origin", "file://"}, false},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, false},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, true},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, true},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, false},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "embed"}, false},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, false},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, true},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, true},
		{"127.0.0.1:8081", []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"}, true},
	} {
		r := request("GET", "http://placeholder/mock/messages", "", c.header...)
		r.Host = c.host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8081}))
		got := a.do(a.admin, r)
		if (got.status == http.StatusOK) != c.ok || !c.ok && got.code() != "forbidden" {
			t.Errorf("Host %q, %v: %d %s", c.host, c.header, got.status, got.code())
		}
	}
}

func TestToken(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.AdminToken = secret.New("tok en-with:odd,parts") })
	basic := request("GET", "http://127.0.0.1:8081/mock/", "")
	basic.SetBasicAuth("anyone", "tok en-with:odd,parts")
	if r := a.do(a.admin, basic); r.status != http.StatusOK {
		t.Errorf("basic: %d", r.status)
	}
	a.want(a.operate("GET", "/mock/messages", "", "Authorization", "bearer tok en-with:odd,parts"), 200, "")
	for _, given := range []string{"", "Bearer", "Bearer ", "Bearer wrong", "Basic wrong", "Basic YW55b25lOndyb25n", "tok en-with:odd,parts", "Bearer tok en-with:odd,part", "Bearer tok en-with:odd,partss"} {
		for _, path := range []string{"/", "/mock/messages", "/mock/messages/wait", "/metrics", "/debug/pprof/", "/openapi.json", "/readyz?verbose", "/nothing", "/readyz/../metrics"} {
			a.want(a.operate("GET", path, "", "Authorization", given), 401, "unauthorized")
		}
		a.want(a.operate("DELETE", "/mock/messages", "", "Authorization", given), 401, "unauthorized")
	}
	for _, open := range []string{"/livez", "/readyz", "/problems/", "/problems/unauthorized"} {
		a.want(a.operate("GET", open, ""), 200, "")
	}
	if log := a.log.String(); strings.Contains(log, "odd,parts") {
		t.Error("the log holds the token")
	}
}
