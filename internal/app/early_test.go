package app

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/testserver"
)

// Of two instances one cannot reach the database, and has the row of a send in its spool; the other one resends and verifies.
// When the database is there for both, it has all of it.
func TestAVerifyThatComesBeforeItsRow(t *testing.T) {
	t.Parallel()
	server, redis := testserver.Postgres(t), testserver.Redis(t)
	proxy, proxied := proxiedPostgres(t, server)
	policy := rules("{name: hour, by: [phone], limit: 10, window: 1h}")
	a := start(t, policy, onRedis(redis.URL()), onPostgres(proxied))
	b := start(t, policy, onRedis(redis.URL()), onPostgres(server.URL()))
	proxy.BlackHole()
	id, code := a.sent(alice)
	if !strings.Contains(a.metrics(), "\nsmsd_records_away 1\n") {
		t.Fatal("the first instance has a database")
	}
	b.wants(b.resend(id), "200")
	b.wants(b.verify(id, code), "200")
	if status := b.get("/api/v1/sms/" + id); status.status == 200 {
		t.Errorf("the row is there already: %s", status)
	}
	proxy.Pass()
	until(t, "verified and resent", func() bool {
		status := b.get("/api/v1/sms/" + id)
		return status.text("state") == "verified" && status.number("resends") == 1
	})
}

// proxiedPostgres returns a proxy in front of the server, and the URL behind which it is.
func proxiedPostgres(t *testing.T, server *testserver.PostgresServer) (*testserver.ProxyServer, string) {
	t.Helper()
	address, err := url.Parse(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	const socket = ".s.PGSQL.5432" // in the folder that a URL names, by PostgreSQL's custom
	query, folder := address.Query(), t.TempDir()
	proxy := testserver.Proxy(t, filepath.Join(query.Get("host"), socket))
	if err := os.Symlink(strings.TrimPrefix(proxy.URL(), "unix://"), filepath.Join(folder, socket)); err != nil {
		t.Fatal(err)
	}
	query.Set("host", folder)
	address.RawQuery = query.Encode()
	return proxy, address.String()
}
