package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/apikey"
)

// access is who may call a route.
type access int

const (
	open       access = iota // everybody: no key is looked at
	anyKey                   // any kind of key
	secretOnly               // servers
)

// accesses is who may call each route of the public listener. A route without a row fails the test.
var accesses = map[string]access{
	"GET /livez": open, "HEAD /livez": open, "GET /readyz": open, "HEAD /readyz": open,
	"GET /openapi.json": open, "HEAD /openapi.json": open,
	"GET /problems": open, "HEAD /problems": open, "GET /problems/": open, "HEAD /problems/": open,
	"GET /problems/:name": open, "HEAD /problems/:name": open, "GET /": open, "HEAD /": open,
	"POST /api/v1/sms/send": anyKey, "POST /api/v1/sms/resend": anyKey, "POST /api/v1/sms/verify": anyKey,
	"GET /api/v1/sms/:sms_id": secretOnly, "HEAD /api/v1/sms/:sms_id": secretOnly, // the rest of the names are POST's, with whatever key
	"GET /api/v1/sms/send": open, "GET /api/v1/sms/resend": open, "GET /api/v1/sms/verify": open,
	"HEAD /api/v1/sms/send": open, "HEAD /api/v1/sms/resend": open, "HEAD /api/v1/sms/verify": open,
	"GET /.well-known/jwks.json": open, "HEAD /.well-known/jwks.json": open, "POST /api/v1/tokens/consume": secretOnly,
}

const (
	shopOrigin = "https://shop.example"
	evilOrigin = "https://evil.example"
)

// presented is what a request presents, and what comes of it by the access of the route: a status, or 0 where the handler is reached.
type presented struct {
	name   string
	header []string
	any    int // of anyKey
	server int // of secretOnly
}

// everyKey is every kind of key, in every kind of place.
func everyKey(a *api, dev bool) []presented {
	page, app := a.keys.Publishable("shop", shopOrigin, "http://shop.example:8080"), a.keys.Publishable("shop")
	secret := a.keys.Secret("shop")
	revoked, revokedID := a.keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
	a.keys.Revoke(revokedID)
	expired, _ := a.keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret, ExpiresAt: start.Add(time.Millisecond)})
	never, _ := apikey.New(apikey.Secret)
	none, noneOfPage := 401, 401
	if dev {
		none, noneOfPage = 0, 403
	}
	return []presented{
		{"no key", nil, none, none},
		{"no key, a page", with("", evilOrigin), none, noneOfPage},
		{"publishable, its page", with(page, shopOrigin), 0, 403},
		{"publishable, its other page", with(page, "http://shop.example:8080"), 0, 403},
		{"publishable, a foreign page", with(page, evilOrigin), 403, 403},
		{"publishable, another scheme", with(page, "http://shop.example"), 403, 403},
		{"publishable, another port", with(page, "https://shop.example:8443"), 403, 403},
		{"publishable, a sub-domain", with(page, "https://a.shop.example"), 403, 403},
		{"publishable, other case", with(page, "https://SHOP.example"), 403, 403},
		{"publishable, null", with(page, "null"), 403, 403},
		{"publishable, an empty origin", with(page, ""), 403, 403},
		{"publishable, two origins", with(page, shopOrigin, shopOrigin), 403, 403},
		{"publishable, two in one", with(page, shopOrigin+" "+evilOrigin), 403, 403},
		{"publishable of pages, no page", with(page), 403, 403},
		{"publishable of apps", with(app), 0, 403},
		{"publishable of apps, a page", with(app, shopOrigin), 403, 403},
		{"secret", with(secret), 0, 0},
		{"secret, lower case scheme", []string{"Authorization", "bearer " + secret}, 0, 0},
		{"secret, a page", with(secret, shopOrigin), 403, 403},
		{"secret, null", with(secret, "null"), 403, 403},
		{"revoked", with(revoked), 401, 401},
		{"revoked, a page", with(revoked, shopOrigin), 401, 401},
		{"expired", with(expired), 401, 401},
		{"never made", with(never.Reveal()), 401, 401},
		{"truncated", with(secret[:30]), 401, 401},
		{"mistyped", with(secret[:20] + string('0'+(secret[20]-'0'+1)%10) + secret[21:]), 401, 401},
		{"nothing", with(""), 401, 401},
		{"empty field", []string{"Authorization", ""}, 401, 401},
		{"a key and no scheme", []string{"Authorization", secret}, 401, 401},
		{"another scheme", []string{"Authorization", "Basic " + secret}, 401, 401},
		{"a key twice", append(with(secret), with(secret)...), 401, 401},
		{"much", with(strings.Repeat("a", 20_000)), 401, 401},
	}
}

// with presents a key, and the origins of pages; "" with an origin that is none of ours: no key.
func with(key string, origins ...string) []string {
	header := []string{"Authorization", "Bearer " + key}
	if key == "" && len(origins) > 0 {
		header = nil
	}
	for _, origin := range origins {
		header = append(header, "Origin", origin)
	}
	return header
}

func (p presented) want(who access) int {
	return map[access]int{open: 0, anyKey: p.any, secretOnly: p.server}[who]
}

// whole makes an instance with every part that may add routes.
func whole(t *testing.T, dev bool) *api {
	t.Helper()
	a := newAPI(t, newArchive(t).use, func(s *setup) { s.http.Dev = dev })
	o := reflect.ValueOf(a.http)
	for i := range o.NumField() {
		name, f := o.Type().Field(i).Name, o.Field(i)
		addsNone := name == "Idempotency" || name == "Local"
		if f.Kind() == reflect.Pointer && f.IsNil() && !addsNone {
			t.Errorf("Options.%s is nil: the routes that it adds are not tried", name)
		}
	}
	return a
}

// Every route times every kind of key, in both profiles.
func TestEveryRouteAndEveryKey(t *testing.T) {
	t.Parallel()
	for _, dev := range []bool{true, false} {
		a := whole(t, dev)
		keys := everyKey(a, dev)
		a.keys.Advance(time.Second) // past the end of the one that expires
		for _, route := range a.routes() {
			who, known := accesses[route]
			if !known {
				t.Errorf("%s has no row: who may call it?", route)
			}
			for i, p := range keys {
				a.present(fmt.Sprintf("dev %t, %s", dev, route), route, i, p, p.want(who))
			}
		}
	}
}

// The guard of routes that are for servers alone, which any route may have.
func TestServersOnly(t *testing.T) {
	t.Parallel()
	for _, dev := range []bool{true, false} {
		a := newAPI(t, func(s *setup) { s.http.Dev = dev })
		keys := everyKey(a, dev)
		a.keys.Advance(time.Second)
		a.guarded("/servers")
		for i, p := range keys {
			a.present(fmt.Sprintf("dev %t", dev), "GET /servers", i, p, p.server)
		}
	}
}

// present makes a request and looks at who refused it. Each comes from another address, so that none is refused for the ones before.
func (a *api) present(name, route string, i int, p presented, want int) {
	a.Helper()
	method, path, _ := strings.Cut(route, " ")
	body := ""
	if method == http.MethodPost {
		body = "{}"
	}
	r := request(method, "http://127.0.0.1:8080"+path, body, p.header...)
	r.RemoteAddr = fmt.Sprintf("198.51.%d.1:1", i)
	got := a.do(a.public, r)
	code, refused := map[int]string{401: "unauthorized", 403: "forbidden"}[got.status], 0
	if code != "" {
		refused = got.status
	}
	if refused != want || code != "" && method != http.MethodHead && got.code() != code {
		a.Errorf("%s, %s: %d %s, want %d", name, p.name, got.status, got.body, want)
	}
	if challenge := got.header.Get("WWW-Authenticate"); (refused == 401) != strings.HasPrefix(challenge, `Bearer realm="smsd"`) {
		a.Errorf("%s, %s: WWW-Authenticate %q", name, p.name, challenge)
	}
}

// Whoever is not known learns the same, whatever the reason.
func TestRefusalsAreAlike(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.http.Dev = false })
	keys := everyKey(a, false)
	a.keys.Advance(time.Second)
	seen := map[string]bool{}
	for _, p := range keys {
		if p.any != 401 || p.header == nil || !slices.Contains(p.header, "Authorization") {
			continue
		}
		r := request(http.MethodPost, "http://127.0.0.1:8080/api/v1/sms/send", "{}", p.header...)
		r.RemoteAddr = fmt.Sprintf("198.51.%d.1:1", len(p.name))
		got := a.do(a.public, r)
		got.header.Del("X-Request-Id")
		for name := range got.header {
			if strings.HasPrefix(name, "Access-Control") {
				got.header.Del(name) // of the page's origin, not of the key
			}
		}
		seen[fmt.Sprint(got.header, strings.ReplaceAll(string(got.body), got.text("request_id"), ""))] = true
	}
	if len(seen) != 1 {
		t.Errorf("%d different answers: %q", len(seen), slices.Collect(maps.Keys(seen)))
	}
}
