package sqlstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// examined returns each check by its name.
func examined(t *testing.T, o sqlstore.Options) map[string]sqlstore.Check {
	t.Helper()
	all := map[string]sqlstore.Check{}
	for _, c := range unopened(t, o).Examine(t.Context()) {
		t.Logf("%s: %s; %s", c.Name, c.Seen, c.Do)
		all[c.Name] = c
	}
	return all
}

// wantFindings fails the test unless the named checks found something, and no others did.
func wantFindings(t *testing.T, all map[string]sqlstore.Check, names ...string) {
	t.Helper()
	var found []string
	for name, c := range all {
		if c.Do != "" {
			found = append(found, name)
		}
	}
	if len(found) != len(names) {
		t.Errorf("findings %q, want %q", found, names)
	}
	for _, name := range names {
		if all[name].Do == "" {
			t.Errorf("%s: no finding: %+v", name, all[name])
		}
	}
}

func TestPostgresIsExamined(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t, testserver.Durable())
	o := postgresOptions(server.Database(t, ""))
	all := examined(t, o)
	wantFindings(t, all)
	if len(all) != 6 || !strings.Contains(all["schema"].Seen, "pending") || !strings.HasPrefix(all["reach"].Seen, "PostgreSQL 1") {
		t.Errorf("an empty database: %+v", all)
	}
	if applied, _ := steps(t, unopened(t, o)); applied != 0 {
		t.Error("the examination has migrated")
	}
	open(t, o)
	all = examined(t, o)
	wantFindings(t, all)
	if !strings.Contains(all["schema"].Seen, "are applied") {
		t.Errorf("schema: %+v", all["schema"])
	}
	execute(t, o, "CREATE ROLE stranger LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA public TO stranger")
	wantFindings(t, examined(t, as(o, "stranger")), "permission")
	execute(t, o, "CREATE ROLE blind LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON verifications TO blind")
	all = examined(t, as(o, "blind"))
	wantFindings(t, all, "schema")
	if !strings.Contains(all["schema"].Do, "SELECT on goose_db_version") {
		t.Errorf("schema: %+v", all["schema"])
	}
	execute(t, o, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)")
	wantFindings(t, examined(t, o), "schema")
}

// as logs in as another user.
func as(o sqlstore.Options, user string) sqlstore.Options {
	o.URL = secret.New(strings.Replace(o.URL.Reveal(), "smsd@", user+"@", 1))
	return o
}

func TestAServerThatMayLoseWhatItAnsweredIsFound(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t, testserver.PostgresConfig("synchronous_commit=off", "default_transaction_read_only=on"))
	all := examined(t, postgresOptions(server.URL()))
	wantFindings(t, all, "durability", "primary")
	for _, name := range []string{"fsync", "synchronous_commit"} {
		if !strings.Contains(all["durability"].Seen, name) {
			t.Errorf("%s is not named: %s", name, all["durability"].Seen)
		}
	}
	server.Freeze()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if all := unopened(t, postgresOptions(server.URL())).Examine(ctx); len(all) != 1 || all[0].Name != "reach" || all[0].Do == "" {
		t.Errorf("a frozen server: %+v", all)
	}
}

func TestSQLiteIsExamined(t *testing.T) {
	t.Parallel()
	o := sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")}
	wantFindings(t, examined(t, o))
	if _, err := os.Stat(o.File); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the examination made a file: %v", err)
	}
	open(t, o)
	all := examined(t, o)
	wantFindings(t, all)
	if len(all) != 4 {
		t.Errorf("checks: %+v", all)
	}
	if err := os.Chmod(o.File, 0o640); err != nil {
		t.Fatal(err)
	}
	wantFindings(t, examined(t, o), "mode")
}

// Who may write rows, and not change tables, is told before the start and by it when a step is pending.
func TestAUserWhoMayNotMigrateIsTold(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t, testserver.Durable())
	o := postgresOptions(server.Database(t, ""))
	open(t, o)
	execute(t, o, "CREATE ROLE worker LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO worker")
	wantFindings(t, examined(t, as(o, "worker")))
	open(t, as(o, "worker"))
	execute(t, o, "DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)")
	all := examined(t, as(o, "worker"))
	wantFindings(t, all, "schema")
	if err := unopened(t, as(o, "worker")).Open(t.Context()); err == nil || !strings.Contains(err.Error(), "as the user who owns them") {
		t.Errorf("it starts: %v; %+v", err, all["schema"])
	}
	wantFindings(t, examined(t, o))
}
