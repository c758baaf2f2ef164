package apikey_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/apikey/keytest"
)

// clock is a clock that a test moves.
type clock struct{ at time.Time }

func newClock() *clock                   { return &clock{time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)} }
func (c *clock) now() time.Time          { return c.at }
func (c *clock) advance(d time.Duration) { c.at = c.at.Add(d) }

// reason is why the directory refuses a token; "": it does not.
func reason(t *testing.T, d *apikey.Directory, token string) apikey.Reason {
	t.Helper()
	_, err := d.Identify(token)
	if err == nil {
		return ""
	}
	refusal, ok := errors.AsType[*apikey.Refusal](err)
	if !ok {
		t.Fatalf("not a refusal: %v", err)
	}
	return refusal.Reason
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	at := newClock()
	keys := keytest.New(t, at.now)
	secret, secretID := keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret, ExpiresAt: at.now().Add(time.Hour)})
	page := keys.Publishable("shop", "https://shop.example")
	caller, err := keys.Directory.Identify(secret)
	if err != nil || caller.App != "shop" || caller.KeyID != secretID || caller.Kind != apikey.Secret || caller.OfPages() {
		t.Errorf("%+v, %v", caller, err)
	}
	caller, err = keys.Directory.Identify(page)
	if err != nil || caller.Kind != apikey.Publishable || !caller.OfPages() || !caller.Allows("https://shop.example") || caller.Allows("https://shop.example:444") {
		t.Errorf("%+v, %v", caller, err)
	}
	never, _ := apikey.New(apikey.Secret)
	last := secret[len(secret)-1]
	for token, want := range map[string]apikey.Reason{
		"": apikey.Malformed, secret[:40]: apikey.Malformed, secret[:40] + string('0'+(last-'0'+1)%10): apikey.Mistyped, never.Reveal(): apikey.Unknown,
	} {
		if got := reason(t, keys.Directory, token); got != want {
			t.Errorf("refused as %q, want %q", got, want)
		}
	}
	at.advance(time.Hour - time.Millisecond)
	if got := reason(t, keys.Directory, secret); got != "" {
		t.Errorf("%s before its time", got)
	}
	at.advance(time.Millisecond)
	if got := reason(t, keys.Directory, secret); got != apikey.Expired {
		t.Errorf("refused as %q at its end", got)
	}
	keys.Revoke(secretID)
	if got := reason(t, keys.Directory, secret); got != apikey.Revoked {
		t.Errorf("refused as %q once revoked", got)
	}
}

// A key that another takes the place of works on through the overlap, and not a moment longer.
func TestRotationOverlaps(t *testing.T) {
	t.Parallel()
	at := newClock()
	keys := keytest.New(t, at.now)
	old, oldID := keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
	fresh, _ := keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret, Replaces: oldID, Overlap: 24 * time.Hour})
	at.advance(24*time.Hour - time.Millisecond)
	if a, b := reason(t, keys.Directory, old), reason(t, keys.Directory, fresh); a != "" || b != "" {
		t.Errorf("within the overlap: %q, %q", a, b)
	}
	at.advance(time.Millisecond)
	if a, b := reason(t, keys.Directory, old), reason(t, keys.Directory, fresh); a != apikey.Expired || b != "" {
		t.Errorf("after the overlap: %q, %q", a, b)
	}
	_, _, err := apikey.Create(t.Context(), keys.Store, keys.Hasher, apikey.Draft{App: "another", Kind: apikey.Secret, Replaces: oldID}, at.now())
	if !errors.Is(err, apikey.ErrNotFound) {
		t.Errorf("an app replaced another one's key: %v", err)
	}
}

// A key works under an older secret for as long as that is listed.
func TestSecretsRotate(t *testing.T) {
	t.Parallel()
	at := newClock()
	keys := keytest.New(t, at.now)
	text := keys.Secret("shop")
	for secrets, want := range map[string]apikey.Reason{"k": "", "nk": "", "n": apikey.Unknown} {
		d, err := apikey.NewDirectory(apikey.DirectoryOptions{Store: keys.Store, Hasher: keytest.Hasher(t, []byte(secrets)...), Now: at.now})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := reason(t, d, text); got != want {
			t.Errorf("with the secrets %q refused as %q, want %q", secrets, got, want)
		}
	}
}

// Origins are those of live publishable keys, the longest-lived one of several.
func TestOriginsOfLiveKeys(t *testing.T) {
	t.Parallel()
	at := newClock()
	keys := keytest.New(t, at.now)
	const shop, blog = "https://shop.example", "https://blog.example"
	make := func(end time.Duration, origins ...string) string {
		_, id := keys.Make(apikey.Draft{App: "shop", Kind: apikey.Publishable, Origins: origins, ExpiresAt: at.now().Add(end)})
		return id
	}
	make(time.Hour, shop)
	make(2*time.Hour, shop)
	make(time.Minute, shop)
	gone := make(time.Hour, blog)
	if !keys.Directory.AllowsOrigin(shop) || !keys.Directory.AllowsOrigin(blog) || keys.Directory.AllowsOrigin("https://evil.example") {
		t.Error("not the origins of the keys")
	}
	keys.Revoke(gone)
	at.advance(2*time.Hour - time.Second)
	if !keys.Directory.AllowsOrigin(shop) || keys.Directory.AllowsOrigin(blog) {
		t.Error("an origin ended with the wrong key")
	}
	at.advance(time.Second)
	if keys.Directory.AllowsOrigin(shop) {
		t.Error("an origin outlives its keys")
	}
}

// Before it was read nobody can tell; with the store away what was known works on.
func TestStoreAway(t *testing.T) {
	t.Parallel()
	at := newClock()
	keys := keytest.New(t, at.now)
	text := keys.Secret("shop")
	d, err := apikey.NewDirectory(apikey.DirectoryOptions{Store: keys.Store, Hasher: keys.Hasher, Now: at.now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Identify(text); !errors.Is(err, apikey.ErrNotLoaded) || d.Health().Loaded {
		t.Errorf("before the first reading: %v", err)
	}
	if got := reason(t, d, "nothing"); got != apikey.Malformed {
		t.Errorf("what is no key is refused as %q", got)
	}
	keys.Store.Away(errors.New("away"))
	if d.Load(t.Context()) == nil || keys.Directory.Load(t.Context()) == nil {
		t.Error("a store that is away was read")
	}
	if got := reason(t, keys.Directory, text); got != "" {
		t.Errorf("with the store away a known key is refused: %s", got)
	}
}

// Above the bound the oldest are not known, what is new and what is revoked is seen, and the log and the health say so.
func TestDirectoryIsBounded(t *testing.T) {
	t.Parallel()
	at := newClock()
	store := &keytest.Store{}
	hasher := keytest.Hasher(t, 'k')
	texts := make([]string, apikey.MaxKeys+1)
	for i := range texts {
		key, _ := apikey.New(apikey.Secret)
		texts[i] = key.Reveal()
		if err := store.Add(t.Context(), apikey.Record{ID: fmt.Sprint(i), App: "shop", Kind: apikey.Secret, Hash: hasher.Hash(key)}, "", time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	d, err := apikey.NewDirectory(apikey.DirectoryOptions{Store: store, Hasher: hasher, Now: at.now, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !d.Health().Crowded || strings.Count(log.String(), "more API keys") != 1 {
		t.Errorf("health %+v, log %s", d.Health(), log.String())
	}
	if a, b := reason(t, d, texts[0]), reason(t, d, texts[apikey.MaxKeys]); a != apikey.Unknown || b != "" {
		t.Errorf("the oldest is refused as %q, the newest as %q", a, b)
	}
	if _, _, err := apikey.Create(t.Context(), store, hasher, apikey.Draft{App: "shop", Kind: apikey.Secret}, at.now()); err == nil {
		t.Error("one more is made")
	}
}

// The log is told once a minute of one key, and never of what is not one.
func TestShouldTell(t *testing.T) {
	t.Parallel()
	at := newClock()
	keys := keytest.New(t, at.now)
	_, id := keys.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
	d := keys.Directory
	if !d.ShouldTell(id) || d.ShouldTell(id) || d.ShouldTell("k_000000000000") {
		t.Error("told wrong")
	}
	at.advance(time.Minute - time.Millisecond)
	keys.Load() // which forgets nothing
	if d.ShouldTell(id) {
		t.Error("told twice in a minute")
	}
	at.advance(time.Millisecond)
	if !d.ShouldTell(id) {
		t.Error("not told again")
	}
}
