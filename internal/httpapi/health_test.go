package httpapi

import (
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	public := func(path string) *reply { return a.do(a.public, request("GET", "http://127.0.0.1:8080"+path, "")) }
	checks := map[string]string{"counters": "out of reach"}
	for _, c := range []struct {
		health       Health
		status       int
		word, inBody string
	}{
		{Health{Ready: true, Checks: map[string]string{"counters": "ok"}}, 200, "ok", `"counters":"ok"`},
		{Health{Ready: true, Degraded: true, Checks: checks}, 200, "degraded", `"counters":"out of reach"`},
		{Health{Checks: checks}, 503, "", `"counters":"out of reach"`},
	} {
		a.health = c.health
		for _, path := range []string{"/readyz", "/readyz?verbose"} {
			r := public(path)
			if r.status != c.status || c.status == 200 && r.text("status") != c.word || strings.Contains(string(r.body), "counters") {
				t.Errorf("public %s: %d %s", path, r.status, r.body)
			}
		}
		if r := a.operate("GET", "/readyz", ""); r.status != c.status || strings.Contains(string(r.body), "counters") {
			t.Errorf("admin: %d %s", r.status, r.body)
		}
		if r := a.operate("GET", "/readyz?verbose", ""); r.status != c.status || !strings.Contains(string(r.body), c.inBody) {
			t.Errorf("admin, verbose: %d %s", r.status, r.body)
		}
		a.want(public("/livez"), 200, "")
		a.want(a.operate("GET", "/livez", ""), 200, "")
	}
	if r := public("/readyz"); r.header.Get("Retry-After") == "" || r.code() != "unavailable" {
		t.Errorf("not ready: %v %s", r.header, r.body)
	}
	if log := a.log.String(); !strings.Contains(log, `"route":"/readyz","status":503,"code":"unavailable"`) {
		t.Error("the access log does not have the code")
	}
}
