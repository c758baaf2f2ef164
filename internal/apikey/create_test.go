package apikey_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/apikey/keytest"
)

func TestDraftsAreChecked(t *testing.T) {
	t.Parallel()
	at := newClock()
	keys := keytest.New(t, at.now)
	good := apikey.Draft{App: "shop-1_a", Kind: apikey.Publishable, Name: "Café, web", Origins: []string{"https://shop.example"}}
	for name, change := range map[string]func(d *apikey.Draft){
		"app":           func(d *apikey.Draft) { d.App = "" },
		"app: must":     func(d *apikey.Draft) { d.App = "Shop" },
		"app: must be":  func(d *apikey.Draft) { d.App = strings.Repeat("a", 65) },
		"kind":          func(d *apikey.Draft) { d.Kind = "rk" },
		"name":          func(d *apikey.Draft) { d.Name = strings.Repeat("a", 101) },
		"name: must":    func(d *apikey.Draft) { d.Name = "a\nb" },
		"name: must be": func(d *apikey.Draft) { d.Name = "\x1b[31m" },
		"origin":        func(d *apikey.Draft) { d.Origins = []string{"*"} },
		"origin: at":    func(d *apikey.Draft) { d.Origins = make([]string, 21) },
		"origin: a":     func(d *apikey.Draft) { d.Kind = apikey.Secret },
		"expiry":        func(d *apikey.Draft) { d.ExpiresAt = at.now() },
		"overlap":       func(d *apikey.Draft) { d.Overlap = time.Hour },
		"overlap: must": func(d *apikey.Draft) { d.Overlap, d.Replaces = -1, "k_1" },
	} {
		d := good
		change(&d)
		if _, _, err := apikey.Create(t.Context(), keys.Store, keys.Hasher, d, at.now()); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	key, r, err := apikey.Create(t.Context(), keys.Store, keys.Hasher, good, at.now())
	if err != nil || r.App != good.App || r.Hint != key.Hint() || r.Hash != keys.Hasher.Hash(key) || !strings.HasPrefix(r.ID, "k_") || len(r.ID) != 14 || !r.CreatedAt.Equal(at.now()) {
		t.Errorf("%+v, %v", r, err)
	}
	keys.Store.Away(errors.New("away"))
	if _, _, err := apikey.Create(t.Context(), keys.Store, keys.Hasher, good, at.now()); err == nil {
		t.Error("made with the store away")
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://shop.example": "https://shop.example", "HTTPS://Shop.Example": "https://shop.example", "https://shop.example:443": "https://shop.example",
		"http://localhost:3000": "http://localhost:3000", "http://shop.example:80": "http://shop.example", "http://[::1]:5173": "http://[::1]:5173",
		"https://shop.example:80": "https://shop.example:80", "https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
	} {
		if got, err := apikey.ParseOrigin(text); err != nil || got != want {
			t.Errorf("%s is %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "*", "null", "shop.example", "https://", "https://shop.example/", "https://shop.example/a", "https://shop.example?a", "https://user@shop.example",
		"https://*.shop.example", "ftp://shop.example", "https://shop.example:", "https://bücher.example", "https://shop.example https://blog.example",
		"https://shop.example,https://blog.example", "https://" + strings.Repeat("a", 300), "javascript://x", "https://a\nb",
	} {
		if got, err := apikey.ParseOrigin(text); err == nil {
			t.Errorf("%q is taken as %q", text, got)
		}
	}
}
