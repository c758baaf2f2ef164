package httpapi

import (
	"strings"
	"testing"
)

func TestResetLimitsAndClock(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	a.want(a.sendTo(alice), 429, "rate_limited")
	a.want(a.operate("DELETE", "/mock/limits?phone=+86+138-0013-8000", ""), 204, "")
	a.sent(alice)
	a.want(a.operate("DELETE", "/mock/limits?phone=+8613800138000&app=another", ""), 204, "")
	a.want(a.sendTo(alice), 429, "rate_limited")
	a.want(a.operate("DELETE", "/mock/limits?phone=+8613800138000&app="+strings.Repeat("x", 65), ""), 400, "invalid_request")
	a.want(a.operate("DELETE", "/mock/limits?ip=192.0.2.1", ""), 204, "")
	a.want(a.operate("DELETE", "/mock/limits?ip=192.0.2", ""), 400, "invalid_request")
	a.want(a.operate("DELETE", "/mock/limits", ""), 400, "invalid_request")
	a.want(a.operate("POST", "/mock/clock", `{"advance":"61s"}`), 204, "")
	a.sent(alice)
	for _, bad := range []string{`{}`, `{"advance":61}`, `{"advance":"61"}`, `{"advance":"-1s"}`, `{"advance":"0s"}`, `{"advance":"721h"}`, `{"advance":"9999999h"}`} {
		a.want(a.operate("POST", "/mock/clock", bad), 400, "invalid_request")
	}
}

func TestTestAidsAreForDev(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.Dev = false })
	a.want(a.operate("DELETE", "/mock/limits?phone=+8613800138000", ""), 404, "not_found")
	a.want(a.operate("POST", "/mock/clock", `{"advance":"1s"}`), 404, "not_found")
	a.want(a.operate("GET", "/mock/messages", ""), 200, "")
	without := newAPI(t, func(s *setup) { s.http.Mock = nil })
	for _, path := range []string{"/mock/", "/mock/messages", "/mock/faults", "/mock/messages/wait"} {
		without.want(without.operate("GET", path, ""), 404, "not_found")
	}
}
