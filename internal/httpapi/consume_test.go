package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// proven verifies a number and returns the token.
func (a *api) proven(phone string) string {
	a.Helper()
	id, code := a.sent(phone)
	r := a.verify(id, code)
	if r.status != http.StatusOK || r.text("token") == "" {
		a.Fatalf("verify: %d %s", r.status, r.body)
	}
	return r.text("token")
}

// consume calls with more fields, as `"scene":"login"`.
func (a *api) consume(token, more string) *reply {
	a.Helper()
	if more != "" {
		more = "," + more
	}
	return a.post("/api/v1/tokens/consume", `{"token":`+quote(token)+more+`}`)
}

func (a *api) consumedBy(outcome string) float64 {
	a.Helper()
	families, err := a.registry.Gather()
	if err != nil {
		a.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() == "smsd_tokens_consumed_total" && m.GetLabel()[0].GetValue() == outcome {
				return m.GetCounter().GetValue()
			}
		}
	}
	a.Fatalf("no metric of the outcome %s", outcome)
	return 0
}

func TestTokenIsConsumedOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	token := a.post("/api/v1/sms/verify", fmt.Sprintf(`{"sms_id":%q,"code":%q,"nonce":"n-0S6"}`, id, code)).text("token")
	for more, status := range map[string]int{ // none of them uses it up
		`"nonce":"n-0S7"`: 422, `"scene":"payment"`: 422, `"audience":"shop"`: 422, `"app":"shop"`: 400,
	} {
		if r := a.consume(token, more); r.status != status {
			t.Errorf("%s: %d %s", more, r.status, r.body)
		}
	}
	r := a.consume(token, `"nonce":"n-0S6","scene":"login","audience":"default"`)
	if r.status != http.StatusOK || r.field("valid") != true || r.text("sms_id") != id || r.text("phone") != alice ||
		r.text("scene") != "login" || r.text("app") != "default" || r.text("verified_at") != "2026-11-30T06:00:00Z" || r.text("jti") == "" {
		t.Errorf("consume: %d %s", r.status, r.body)
	}
	a.want(a.consume(token, ""), 409, "token_consumed")
	for outcome, want := range map[string]float64{"consumed": 1, "repeated": 1, "nonce": 1, "scene": 1, "audience": 1, "expired": 0} {
		if got := a.consumedBy(outcome); got != want {
			t.Errorf("the metric says %v %s, want %v", got, outcome, want)
		}
	}
}

func TestTokenExpires(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	token := a.proven(alice)
	a.clock.Advance(5*time.Minute + 4*time.Second)
	a.want(a.consume(token, `"scene":"payment"`), 422, "token_invalid")
	a.clock.Advance(time.Second)
	a.want(a.consume(token, ""), 410, "token_expired")
}

// What is no token costs nothing, and says what is wrong with it.
func TestWhatIsNoToken(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, c := range map[string]struct {
		token  string
		status int
		code   string
	}{
		"empty":              {"", 400, "invalid_request"},
		"dots":               {strings.Repeat(".", 4096), 422, "token_invalid"},
		"too many dots":      {strings.Repeat(".", 4097), 400, "invalid_request"},
		"a megabyte of dots": {strings.Repeat(".", 1<<20), 413, "body_too_large"},
		"alg none":           {"eyJhbGciOiJub25lIn0.e30.", 422, "token_invalid"},
		"garbage":            {"\x01 … \\", 422, "token_invalid"},
	} {
		r := a.consume(c.token, "")
		a.want(r, c.status, c.code)
		if c.code == "token_invalid" && !strings.HasPrefix(r.text("detail"), "The token can't be used: ") {
			t.Errorf("%s: detail %q", name, r.text("detail"))
		}
	}
}

// A nonce that can't stand in a token is refused before the code is looked at: no attempt is lost.
func TestNonceIsBounded(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	body := func(nonce string) string {
		return fmt.Sprintf(`{"sms_id":%q,"code":%q,"nonce":%s}`, id, code, quote(nonce))
	}
	for _, nonce := range []string{strings.Repeat("n", 129), "a\nb", "é", "\x7f"} {
		a.want(a.post("/api/v1/sms/verify", body(nonce)), 400, "invalid_request")
	}
	token := a.post("/api/v1/sms/verify", body(strings.Repeat(`"`, 128))).text("token")
	if r := a.consume(token, ""); r.status != http.StatusOK {
		t.Errorf("consume: %d %s", r.status, r.body)
	}
}

// Whoever has the set can check a token by itself; the set may be kept, and read from everywhere.
func TestKeySetChecksTheToken(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	token := a.proven(alice)
	r := a.do(a.public, request("GET", "http://127.0.0.1:8080/.well-known/jwks.json", "", "Origin", "https://elsewhere.example"))
	for name, want := range map[string]string{
		"Content-Type": "application/jwk-set+json", "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*", "Vary": "",
	} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	parsed, _, err := jwt.NewParser().ParseUnverified(token, jwt.MapClaims{})
	if err != nil || !strings.Contains(string(r.body), fmt.Sprintf(`"kid":%q`, parsed.Header["kid"])) {
		t.Errorf("%v: the key of %v is not in %s", err, parsed.Header, r.body)
	}
	head := a.do(a.public, request("HEAD", "http://127.0.0.1:8080/.well-known/jwks.json", ""))
	if head.status != http.StatusOK || head.header.Get("Content-Type") != "application/jwk-set+json" {
		t.Errorf("HEAD: %d %v", head.status, head.header)
	}
	a.want(a.operate("GET", "/.well-known/jwks.json", ""), 404, "not_found")
}

// Without tokens a verify works as ever.
func TestWithoutTokens(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.noTokens = true })
	id, code := a.sent(alice)
	if r := a.verify(id, code); r.status != http.StatusOK || r.field("token") != nil {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
	a.want(a.consume("e30.e30.e30", ""), 404, "not_found")
}
