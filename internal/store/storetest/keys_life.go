package storetest

import (
	"testing"
	"time"

	"smsd/internal/apikey"
)

var keysTests = []keysTest{
	{"there are no keys at first", func(t *testing.T, b *keysBench) {
		equal(t, "keys", len(b.all()), 0)
		equal(t, "the version stays", b.changes(func() {}), false)
	}},
	{"a key comes back as it was added, the newest first", func(t *testing.T, b *keysBench) {
		little := apikey.Record{ID: "k_little", App: "default", Kind: apikey.Secret, Hash: [32]byte{1: 1}, CreatedAt: at(2)}
		for _, r := range []apikey.Record{key(1), little, key(3)} {
			equal(t, "the version changes", b.changes(func() { b.add(r) }), true)
		}
		equal(t, "keys", b.all(), []apikey.Record{key(3), little, key(1)})
		newest, version, err := b.All(t.Context(), 1)
		equal(t, "one", []any{newest, version, err}, []any{[]apikey.Record{key(3)}, b.version(), nil})
	}},
	{"a key is added once", func(t *testing.T, b *keysBench) {
		b.add(key(1))
		sameID, sameHash := key(2), key(2)
		sameID.ID, sameHash.Hash = key(1).ID, key(1).Hash
		for _, r := range []apikey.Record{key(1), sameID, sameHash} {
			equal(t, "the version changes", b.changes(func() { b.expect(b.Add(t.Context(), r, "", time.Time{}), apikey.ErrExists) }), false)
		}
		equal(t, "keys", b.all(), []apikey.Record{key(1)})
	}},
	{"a key that takes the place of one ends it", func(t *testing.T, b *keysBench) {
		forever, sooner := key(1), key(2)
		forever.ExpiresAt, sooner.ExpiresAt = time.Time{}, at(10)
		b.add(forever)
		b.add(sooner)
		b.expect(b.Add(t.Context(), key(3), forever.ID, at(50)), nil)
		b.expect(b.Add(t.Context(), key(4), sooner.ID, at(50)), nil)
		b.expect(b.Add(t.Context(), key(5), key(3).ID, at(60)), nil)
		forever.ExpiresAt = at(50)
		third := key(3)
		third.ExpiresAt = at(60)
		equal(t, "keys", b.all(), []apikey.Record{key(5), key(4), third, sooner, forever})
	}},
	{"a key that cannot end another one is not added", func(t *testing.T, b *keysBench) {
		other := key(1)
		other.App = "another"
		b.add(other)
		for _, ends := range []string{"k_none", other.ID, "'\x00"} {
			equal(t, "the version changes", b.changes(func() { b.expect(b.Add(t.Context(), key(2), ends, at(5)), apikey.ErrNotFound) }), false)
		}
		equal(t, "keys", b.all(), []apikey.Record{other})
	}},
	{"keys that ended before an instant are purged, and no others", func(t *testing.T, b *keysBench) {
		forever, revoked, both, later := key(1), key(2), key(3), key(4)
		for _, r := range []*apikey.Record{&forever, &revoked, &both, &later} {
			r.ExpiresAt, r.RevokedAt = time.Time{}, time.Time{}
		}
		revoked.RevokedAt, both.RevokedAt, both.ExpiresAt, later.ExpiresAt = at(49), at(90), at(40), at(50)
		for _, r := range []apikey.Record{forever, revoked, both, later} {
			b.add(r)
		}
		purge := func(before time.Time, limit int, want int64) {
			t.Helper()
			n, err := b.Purge(t.Context(), before, limit)
			equal(t, "purged", []any{n, err}, []any{want, nil})
		}
		equal(t, "the version changes", b.changes(func() { purge(at(40), 10, 0); purge(at(50), 0, 0) }), false)
		equal(t, "the version changes", b.changes(func() { purge(at(50), 1, 1) }), true)
		purge(at(50), 10, 1)
		purge(at(50), 10, 0)
		equal(t, "keys", b.all(), []apikey.Record{later, forever})
		b.add(revoked)
		equal(t, "keys", len(b.all()), 3)
	}},
	{"a key is revoked once and for good", func(t *testing.T, b *keysBench) {
		b.add(key(1))
		b.add(key(2))
		equal(t, "the version changes", b.changes(func() { b.expect(b.Revoke(t.Context(), key(1).ID, at(70)), nil) }), true)
		b.expect(b.Revoke(t.Context(), key(1).ID, at(60)), nil)
		b.expect(b.Revoke(t.Context(), key(1).ID, at(80)), nil)
		revoked := key(1)
		revoked.RevokedAt = at(70)
		equal(t, "keys", b.all(), []apikey.Record{key(2), revoked})
		equal(t, "the version changes", b.changes(func() { b.expect(b.Revoke(t.Context(), "k_none", at(1)), apikey.ErrNotFound) }), false)
	}},
	{"the last use moves on, never back, and is no change", func(t *testing.T, b *keysBench) {
		b.add(key(1))
		b.add(key(2))
		touch := func(used map[string]time.Time) {
			t.Helper()
			equal(t, "the version changes", b.changes(func() { b.expect(b.Touch(t.Context(), used), nil) }), false)
		}
		touch(nil)
		touch(map[string]time.Time{key(1).ID: at(20), "k_none": at(20)})
		touch(map[string]time.Time{key(1).ID: at(10), key(2).ID: at(30)})
		first, second := key(1), key(2)
		first.LastUsedAt, second.LastUsedAt = at(20), at(30)
		equal(t, "keys", b.all(), []apikey.Record{second, first})
	}},
	{"of a key added many times at once, one is added", func(t *testing.T, b *keysBench) {
		errs := make([]error, 20)
		allAtOnce(len(errs), func(i int) { errs[i] = b.Add(t.Context(), key(1), "", time.Time{}) })
		added := 0
		for _, err := range errs {
			if err == nil {
				added++
				continue
			}
			b.expect(err, apikey.ErrExists)
		}
		equal(t, "added", added, 1)
	}},
	{"no change is lost where many are made at once", func(t *testing.T, b *keysBench) {
		before := b.version()
		allAtOnce(20, func(i int) {
			b.expect(b.Add(t.Context(), key(i), "", time.Time{}), nil)
			b.expect(b.Touch(t.Context(), map[string]time.Time{key(i).ID: at(1), key(19 - i).ID: at(2)}), nil)
			b.expect(b.Revoke(t.Context(), key(i).ID, at(1)), nil)
		})
		equal(t, "changes", b.version()-before, int64(40))
		equal(t, "keys", len(b.all()), 20)
	}},
}
