package httpapi

import (
	"testing"
	"time"

	"smsd/internal/idempotency"
	"smsd/internal/policy"
	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// openPostgres connects to a database.
func openPostgres(t *testing.T, url string) idempotency.Store {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Options{URL: secret.New(url), PoolSize: 5})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db.Idempotency()
}

// Two instances on one PostgreSQL, each with connections of its own, and then one that does not answer.
func TestKeysOnPostgres(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	for _, limit := range []int{1, 1000} {
		url := server.Database(t, "")
		one, other := newPair(t, phoneHour(t, limit), openPostgres(t, url), openPostgres(t, url))
		sendsOnce(t, one, other)
	}
	url := server.Database(t, "")
	one, other := newPair(t, policy.BuiltIn(), openPostgres(t, url), openPostgres(t, url))
	first := one.sendUnder("k", alice)
	one.replays(other.sendUnder("k", alice), first)
	verified := other.verifyUnder("k", first.text("sms_id"), one.code(first.text("sms_id")))
	one.want(verified, 200, "")
	one.replays(one.verifyUnder("k", first.text("sms_id"), one.code(first.text("sms_id"))), verified)

	away := newAPI(t, func(s *setup) { s.entries, s.budget = openPostgres(t, url), 100*time.Millisecond })
	server.Freeze()
	away.want(away.sendUnder("k", alice), 503, "unavailable")
	away.sent(alice)
	server.Thaw()
	one.want(one.sendUnder("another", "+8613900139000"), 200, "")
}
