package app

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// onPostgres puts records in the PostgreSQL at url.
func onPostgres(url string) setting {
	return func(c *config.Config) { c.Database.URL = secret.New(url) }
}

// An instance whose database is away listens and is not ready; it recovers by itself, schema and all.
func TestADatabaseThatIsAwayAtTheStart(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	server.Kill()
	s := begin(t, "", onPostgres(server.URL()))
	if ready := s.get("/readyz"); ready.status != http.StatusServiceUnavailable {
		t.Errorf("ready: %s", ready)
	}
	s.wants(s.get("/livez"), "200")
	if _, err := s.app.database.Keys().Version(t.Context()); !errors.Is(err, sqlstore.ErrUnavailable) {
		t.Errorf("a call before it was reached: %v", err)
	}
	server.Restart()
	until(t, "ready", func() bool { return s.get("/readyz").status == http.StatusOK })
	if _, err := s.app.database.Keys().Version(t.Context()); err != nil {
		t.Error(err)
	}
}

// What waiting does not mend ends the start, with what to do.
func TestADatabaseThatIsNotThereEndsTheStart(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	elsewhere := strings.Replace(server.URL(), "/postgres?", "/nothing?", 1)
	err := assembled(t, "", onPostgres(elsewhere)).app.Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "database.url") || !strings.Contains(err.Error(), "make the database") {
		t.Errorf("it ran: %v", err)
	}
}

// A database that is lost later makes the instance degraded, in the body and in a metric, and not unready; frozen it is as lost as
// gone.
func TestADatabaseThatIsLostMakesDegradedNotUnready(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	s := start(t, "", onPostgres(server.URL()))
	for _, fault := range []struct{ begin, end func() }{{server.Kill, server.Restart}, {server.Freeze, server.Thaw}} {
		fault.begin()
		until(t, "degraded", func() bool { return s.wants(s.get("/readyz"), "200").text("status") == "degraded" })
		until(t, "told to be down", func() bool {
			return strings.Contains(s.metrics(), "\nsmsd_database_up 0\n") && strings.Contains(s.log.String(), "the database is lost; records are kept")
		})
		fault.end()
		until(t, "told to be up", func() bool {
			return strings.Contains(s.metrics(), "\nsmsd_database_up 1\n") && strings.Contains(s.log.String(), "the database is back")
		})
		until(t, "no longer degraded", func() bool { return s.get("/readyz").text("status") == "ok" })
	}
}

// A database that answers and takes no row, as one whose disk is full or that is now a replica, makes degraded too; and no more once
// it has what was kept meanwhile.
func TestADatabaseThatTakesNoRowsMakesDegraded(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	s := start(t, "", onPostgres(server.URL()))
	server.Do("ALTER TABLE verifications RENAME TO elsewhere")
	s.sent(alice)
	until(t, "degraded, by its records alone", func() bool {
		c := s.checks()
		return c["database"] == "ok" && strings.Contains(c["records"], "kept in a file") && s.get("/readyz").text("status") == "degraded"
	})
	server.Do("ALTER TABLE elsewhere RENAME TO verifications")
	until(t, "no longer degraded", func() bool { return s.get("/readyz").text("status") == "ok" && s.checks()["records"] == "ok" })
}

// What will not pass ends the start, and names the setting.
func TestADatabaseThatCannotBeUsedDoesNotStart(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "smsd.db"), []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]setting{
		"database.url: ": onPostgres(strings.Replace(server.URL(), "/postgres?", "/nothing?", 1)),
		"data_dir: ":     func(c *config.Config) { c.DataDir = folder },
	} {
		err := assembled(t, "", change).app.Run(t.Context(), nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s it ran: %v", want, err)
		}
	}
}

// Instances that start at once on an empty database all come up.
func TestManyInstancesStartAtOnce(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	redis := testserver.Redis(t)
	all := make([]*service, 4)
	started := make(chan error, len(all))
	for i := range all {
		all[i] = assembled(t, "", onRedis(redis.URL()), onPostgres(server.URL()))
		go func() { started <- all[i].app.Start(t.Context()) }()
	}
	for range all {
		select {
		case err := <-started:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("one does not start")
		}
	}
	for _, s := range all {
		until(t, "ready", func() bool { return s.app.health.state(t.Context()).Ready })
	}
}
