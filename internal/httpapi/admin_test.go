package httpapi

import (
	"strings"
	"testing"
)

func TestMetricsAndProfiles(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	a.sendTo(alice)
	a.post("/api/v1/sms/send/13800138000", `{}`)
	a.do(a.public, request("BREW", "http://127.0.0.1:8080/13800138000", ""))
	text := string(a.operate("GET", "/metrics", "").body)
	for _, line := range []string{
		`smsd_http_requests_total{listener="public",method="POST",route="/api/v1/sms/send",status="200"} 1`,
		`smsd_http_requests_total{listener="public",method="POST",route="/api/v1/sms/send",status="429"} 1`,
		`smsd_http_requests_total{listener="public",method="POST",route="unmatched",status="404"} 1`,
		`smsd_http_requests_total{listener="public",method="other",route="unmatched",status="404"} 1`,
		`smsd_http_request_duration_seconds_count{listener="public",method="POST",route="/api/v1/sms/send"} 2`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %s", line)
		}
	}
	for path, status := range map[string]int{
		"/debug/pprof/": 200, "/debug/pprof": 308, "/debug/pprof/heap": 200, "/debug/pprof/goroutine?debug=1": 200,
		"/debug/pprof/cmdline": 404, "/debug/pprof/profile?seconds=301": 400, "/debug/pprof/trace?seconds=NaN": 400,
		"/debug/pprof/trace?seconds=x": 400, "/mock": 308, "/": 200,
	} {
		r := request("GET", "http://127.0.0.1:8081"+path, "")
		if got := a.do(a.admin, r); got.status != status {
			t.Errorf("%s: %d, want %d", path, got.status, status)
		}
	}
}
