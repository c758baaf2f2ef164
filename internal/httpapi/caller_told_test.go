package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/apikey"
)

// metric is the count of requests by their key.
func (a *api) metric(kind, outcome string) int {
	a.Helper()
	families, err := a.registry.Gather()
	if err != nil {
		a.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if family.GetName() == "smsd_http_callers_total" && labels["kind"] == kind && labels["outcome"] == outcome {
				return int(m.GetCounter().GetValue())
			}
		}
	}
	return 0
}

// Who goes on with keys that nobody has is told to wait, and the log is not filled; the next address, and a good key from the same
// one, are not refused for it.
func TestFloodOfKeysThatNobodyHas(t *testing.T) {
	t.Parallel()
	a := newAPI(t, production)
	good := a.keys.Secret("shop")
	const flood = 300
	last := 0
	for range flood {
		never, _ := apikey.New(apikey.Secret)
		last = a.post(sendPath, `{}`, with(never.Reveal())...).status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the last one of a flood is answered %d", last)
	}
	if limited, unknown := a.metric("unknown", "limited"), a.metric("unknown", "unknown"); unknown != 2*failuresOfOne || limited != flood-unknown {
		t.Errorf("%d limited, %d unknown", limited, unknown)
	}
	if lines := strings.Count(a.log.String(), `"level":"INFO","msg":"API key refused"`); lines > 2*failuresOfOne {
		t.Errorf("%d lines in the log", lines)
	}
	a.want(a.post(sendPath, `{}`, with(good)...), 400, "invalid_request")
	next := request(http.MethodPost, "http://127.0.0.1:8080"+sendPath, `{}`)
	next.RemoteAddr = "198.51.100.9:1"
	a.want(a.do(a.public, next), 401, "unauthorized")
	if n := testutil.CollectAndCount(a.registry, "smsd_http_callers_total"); n > 4 {
		t.Errorf("%d series", n)
	}
}

// A secret key in a browser has leaked: counted, and told of once a minute by its public name.
func TestLeakedKeyIsTold(t *testing.T) {
	t.Parallel()
	a := newAPI(t, production)
	text, id := a.keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
	for range 3 {
		a.want(a.post(sendPath, `{}`, with(text, shopOrigin)...), 403, "forbidden")
	}
	if n := strings.Count(a.log.String(), `"level":"WARN"`); n != 1 || !strings.Contains(a.log.String(), id) {
		t.Errorf("told %d times: %s", n, a.log.String())
	}
	if n := a.metric("secret", "leaked"); n != 3 {
		t.Errorf("counted %d times", n)
	}
	a.keys.Advance(time.Minute)
	a.post(sendPath, `{}`, with(text, shopOrigin)...)
	if n := strings.Count(a.log.String(), `"level":"WARN"`); n != 2 {
		t.Errorf("after a minute told %d times", n)
	}
	a.isAbsent("a key", text, text[3:35])
}

// A revoked key is told of by its name and its reason, so that its owner can be found.
func TestRefusedKeysAreTold(t *testing.T) {
	t.Parallel()
	a := newAPI(t, production)
	text, id := a.keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
	a.keys.Revoke(id)
	a.post(sendPath, `{}`, with(text)...)
	a.post(sendPath, `{}`, with("sk_"+strings.Repeat("a", 38))...)
	log := a.log.String()
	for _, want := range []string{`"reason":"revoked","key":"` + id + `","app":"shop"`, `"reason":"mistyped","key":"","app":""`} {
		if !strings.Contains(log, want) {
			t.Errorf("no %s in the log: %s", want, log)
		}
	}
	a.isAbsent("a key", text, text[3:35])
}

// Before the keys were read nobody can tell who calls: that is no 401, after which clients give up.
func TestKeysNotReadYet(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		production(s)
		var err error
		if s.http.Keys, err = apikey.NewDirectory(apikey.DirectoryOptions{Store: s.keys.Store, Hasher: s.keys.Hasher}); err != nil {
			t.Fatal(err)
		}
	})
	key := a.keys.Secret("shop")
	a.want(a.post(sendPath, `{}`, with(key)...), 503, "unavailable")
	a.want(a.post(sendPath, `{}`), 401, "unauthorized")
	a.keys.Store.Away(errors.New("away"))
	if err := a.http.Keys.Load(t.Context()); err == nil {
		t.Fatal("read a store that is away")
	}
	a.keys.Store.Away(nil)
	if err := a.http.Keys.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.want(a.post(sendPath, `{}`, with(key)...), 400, "invalid_request")
}
