package apikey_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/apikey/keytest"
)

// A key that ended is known for half a year, so that whoever still has it is named, and then it is gone. One in force stays.
func TestSweep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := keytest.New(t, time.Now)
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- k.Directory.Sweep(ctx) }()
		live := k.Secret("shop")
		text, id := k.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
		expired, _ := k.Make(apikey.Draft{App: "shop", Kind: apikey.Secret, ExpiresAt: time.Now().Add(time.Hour)})
		k.Revoke(id)
		want := func(text string, reason apikey.Reason) {
			t.Helper()
			k.Load()
			_, err := k.Directory.Identify(text)
			if refusal, _ := errors.AsType[*apikey.Refusal](err); refusal == nil || refusal.Reason != reason {
				t.Errorf("%v, want %s", err, reason)
			}
		}
		k.Advance(apikey.EndedKept - 30*time.Minute)
		time.Sleep(25 * time.Minute)
		want(text, apikey.Revoked)
		want(expired, apikey.Expired)
		time.Sleep(16 * time.Minute)
		want(text, apikey.Unknown)
		want(expired, apikey.Expired)
		k.Store.Away(errors.New("away"))
		time.Sleep(time.Hour)
		k.Store.Away(nil)
		want(expired, apikey.Expired)
		time.Sleep(time.Hour)
		want(expired, apikey.Unknown)
		if _, err := k.Directory.Identify(live); err != nil {
			t.Error(err)
		}
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
