package httpapi

import (
	"regexp"
	"strings"
	"testing"

	"smsd/internal/policy"
)

func TestPages(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	public := func(path string) *reply { return a.do(a.public, request("GET", "http://127.0.0.1:8080"+path, "")) }
	for name, r := range map[string]*reply{
		"try": public("/"), "problem": public("/problems/rate-limited"), "problems": public("/problems/"),
		"inbox": a.operate("GET", "/mock/", ""), "admin": a.operate("GET", "/", ""),
	} {
		if r.status != 200 || !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d %s", name, r.status, r.header.Get("Content-Type"))
		}
		checkPolicy(t, name, r)
	}
	try := string(public("/").body)
	for _, part := range []string{
		`autocomplete="one-time-code"`, `inputmode="numeric"`, `type="tel"`, `name="viewport"`, `aria-live`, `lang="en"`,
		`<option selected>login</option>`, `<option>payment</option>`, `href="http://127.0.0.1:8081/mock/"`,
	} {
		if !strings.Contains(try, part) {
			t.Errorf("the try-it page lacks %s", part)
		}
	}
	inbox := string(a.operate("GET", "/mock/", "").body)
	for _, part := range []string{"<option>timeout_after_accept</option>", "Reset the limits", "aria-live"} {
		if !strings.Contains(inbox, part) {
			t.Errorf("the inbox lacks %s", part)
		}
	}
}

// The page sends without a key, and so has the scenes of the default app.
func TestTryItHasTheScenesOfTheDefaultApp(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte("scenes: {login: {templates: {en: \"{{.Code}}\"}}}\napps: {default: {scenes: {enter: {templates: {en: \"{{.Code}}\"}}}}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := newAPI(t, func(s *setup) { s.policy = p })
	page := string(a.do(a.public, request("GET", "http://127.0.0.1:8080/", "")).body)
	if !strings.Contains(page, "<option>enter</option>") || strings.Contains(page, ">login</option>") {
		t.Error("the page has not the scenes of the default app's section")
	}
}

// checkPolicy holds that what runs on a page carries the nonce of its policy, and that nothing else may.
func checkPolicy(t *testing.T, name string, r *reply) {
	t.Helper()
	policy := r.header.Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`script-src 'nonce-([A-Za-z0-9_-]{22})'`).FindStringSubmatch(policy)
	if nonce == nil || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Fatalf("%s: policy %q", name, policy)
	}
	body := string(r.body)
	for _, tag := range []string{"<script", "<style"} {
		if strings.Count(body, tag) != strings.Count(body, tag+` nonce="`+nonce[1]+`"`) {
			t.Errorf("%s: a %s without the nonce", name, tag)
		}
	}
	if regexp.MustCompile(`\son[a-z]+="|\sstyle="|<script[^>]*src=|<link[^>]*href="http`).MatchString(body) {
		t.Errorf("%s: something that the policy forbids", name)
	}
}

func TestNoncesDiffer(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	seen := map[string]bool{}
	for range 10 {
		seen[a.operate("GET", "/", "").header.Get("Content-Security-Policy")] = true
	}
	if len(seen) != 10 {
		t.Errorf("%d policies for 10 answers", len(seen))
	}
}

func TestProductionHasNoTryItPage(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.Dev = false })
	a.want(a.do(a.public, request("GET", "http://127.0.0.1:8080/", "")), 404, "not_found")
	for _, path := range []string{"/mock/", "/mock/messages", "/metrics", "/debug/pprof/"} {
		a.want(a.do(a.public, request("GET", "http://127.0.0.1:8080"+path, "")), 404, "not_found")
	}
}

// Every row explains itself, to people and to programs.
func TestProblemsExplained(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, p := range newProblems() {
		path := "http://127.0.0.1:8080/problems/" + p.name()
		page := a.do(a.public, request("GET", path, "", "Accept", "text/html,application/xhtml+xml"))
		if page.status != 200 || !strings.Contains(string(page.body), p.code) || !strings.Contains(string(page.body), exampleID) {
			t.Errorf("%s: page %d", p.code, page.status)
		}
		r := a.do(a.public, request("GET", path, "", "Accept", "application/json"))
		if r.status != 200 || r.text("code") != p.code || r.number("status") != p.status || r.text("explanation") == "" {
			t.Errorf("%s: %d %s", p.code, r.status, r.body)
		}
		if r.header.Get("Vary") == "" {
			t.Errorf("%s: no Vary", p.code)
		}
	}
	all := a.do(a.public, request("GET", "http://127.0.0.1:8080/problems/", "", "Accept", "application/json"))
	if got := strings.Count(string(all.body), `"explanation"`); got != len(promisedCodes) {
		t.Errorf("the index has %d problems", got)
	}
	a.want(a.do(a.public, request("GET", "http://127.0.0.1:8080/problems/nothing", "")), 404, "not_found")
}
