package sqlstore_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// empties are a new, empty database of each kind for every call.
func empties(t *testing.T) map[string]func(t testing.TB) sqlstore.Options {
	t.Helper()
	var server *testserver.PostgresServer
	return map[string]func(t testing.TB) sqlstore.Options{
		"SQLite": func(t testing.TB) sqlstore.Options {
			return sqlstore.Options{File: filepath.Join(t.TempDir(), "deep", "smsd.db")}
		},
		"Postgres": func(sub testing.TB) sqlstore.Options {
			if server == nil {
				server = testserver.Postgres(t)
			}
			return postgresOptions(server.Database(sub, ""))
		},
	}
}

func unopened(t testing.TB, o sqlstore.Options) *sqlstore.DB {
	t.Helper()
	db, err := sqlstore.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// states are the versions of a database's steps, those that are pending with a minus.
func steps(t testing.TB, db *sqlstore.DB) (applied, pending int) {
	t.Helper()
	all, err := db.Migrations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range all {
		if m.Version != int64(i+1) || !strings.HasSuffix(m.Name, ".sql") {
			t.Errorf("step %d is %+v", i+1, m)
		}
		if m.AppliedAt.IsZero() {
			pending++
		} else {
			applied++
		}
	}
	return applied, pending
}

func TestMigrations(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			db := unopened(t, empty(t))
			before, all := steps(t, db)
			if before != 0 || all == 0 {
				t.Fatalf("an empty database has %d steps, lacks %d", before, all)
			}
			for _, want := range []int{all, 0} {
				if applied, err := db.MigrateUp(t.Context()); err != nil || len(applied) != want {
					t.Fatalf("applied %v, %v, want %d", applied, err, want)
				}
			}
			if applied, pending := steps(t, db); applied != all || pending != 0 {
				t.Errorf("%d applied, %d pending", applied, pending)
			}
		})
	}
}

// Many instances start at once on a database that has yet to be made.
func TestManyMigrateAtOnce(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			o := empty(t)
			var all sync.WaitGroup
			applied := make([]int, 8)
			for i := range applied {
				all.Go(func() {
					done, err := unopened(t, o).MigrateUp(t.Context())
					if err != nil {
						t.Error(err)
					}
					applied[i] = len(done)
				})
			}
			for range 4 {
				all.Go(func() { migrateElsewhere(t, o) })
			}
			all.Wait()
			sum := 0
			for _, n := range applied {
				sum += n
			}
			db := open(t, o)
			if n, pending := steps(t, db); pending != 0 || sum != n && sum != 0 {
				t.Errorf("%d of %d steps were applied here, %d are pending", sum, n, pending)
			}
			if err := db.Ping(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// migrateVariable makes this test binary a process that migrates: TestMain looks for it.
const migrateFile, migrateURL = "SQLSTORE_TEST_MIGRATE_FILE", "SQLSTORE_TEST_MIGRATE_URL"

// migrateElsewhere migrates in another process.
func migrateElsewhere(t *testing.T, o sqlstore.Options) {
	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), migrateFile+"="+o.File, migrateURL+"="+o.URL.Reveal())
	if said, err := other.CombinedOutput(); err != nil {
		t.Errorf("another process: %v\n%s", err, said)
	}
}

// A database that a newer program has migrated is left alone.
func TestANewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			o := empty(t)
			if _, err := unopened(t, o).MigrateUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			execute(t, o, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, "+map[bool]string{true: "1", false: "true"}[o.File != ""]+")")
			db := unopened(t, o)
			_, migrated := db.MigrateUp(t.Context())
			_, listed := db.Migrations(t.Context())
			for _, err := range []error{db.Open(t.Context()), migrated, listed} {
				if !errors.Is(err, sqlstore.ErrNewer) || errors.Is(err, sqlstore.ErrUnavailable) || !strings.Contains(err.Error(), "step 99") {
					t.Errorf("got %v", err)
				}
			}
			if err := db.Ping(t.Context()); !errors.Is(err, sqlstore.ErrUnavailable) {
				t.Errorf("a call: %v", err)
			}
		})
	}
}

// Until a migration is over nobody else begins one, and a wait ends with its context.
func TestAMigrationIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			o := empty(t)
			unlock := lockMigrations(t, o)
			ctx, cancel := context.WithCancel(t.Context())
			waiting := make(chan error)
			go func() { _, err := unopened(t, o).MigrateUp(ctx); waiting <- err }()
			if _, pending := steps(t, unopened(t, o)); pending == 0 {
				t.Error("it did not wait")
			}
			cancel()
			if err := <-waiting; !errors.Is(err, context.Canceled) {
				t.Errorf("the wait ended with %v", err)
			}
			unlock()
			if _, err := unopened(t, o).MigrateUp(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Before it is open, and once it is closed, a database is unavailable: nothing panics, nothing hangs.
func TestADatabaseThatIsNotOpen(t *testing.T) {
	t.Parallel()
	db := unopened(t, sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")})
	check := func() {
		t.Helper()
		if err := db.Records().Append(t.Context(), records.Batch{Writer: "w", Seq: 1}); !errors.Is(err, sqlstore.ErrUnavailable) {
			t.Errorf("append: %v", err)
		}
		if _, err := db.Keys().Version(t.Context()); !errors.Is(err, sqlstore.ErrUnavailable) {
			t.Errorf("version: %v", err)
		}
	}
	check()
	if err := db.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	check()
}

// An instance of the version before writes while a new one brings the schema up to date: neither is in the other's way for long. A
// writer takes handles before verifications, and a step that locked them the other way round would wait for it for ever.
func TestWritersAndTheLastStepDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	o := postgresOptions(testserver.Postgres(t).Database(t, ""))
	_, all := steps(t, unopened(t, o))
	if err := unopened(t, o).MigrateTo(t.Context(), int64(all-1)); err != nil {
		t.Fatal(err)
	}
	then, err := unopened(t, o).Begin(t.Context(), "LOCK TABLE handles IN ROW EXCLUSIVE MODE") // as any write
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	migrated := make(chan error, 1)
	go func() { _, err := unopened(t, o).MigrateUp(ctx); migrated <- err }()
	for waiting := []string(nil); !slices.Equal(waiting, []string{"1"}); {
		if waiting, err = unopened(t, o).Ask(ctx, "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(then("LOCK TABLE verifications IN ROW EXCLUSIVE MODE"), <-migrated); err != nil {
		t.Error(err)
	}
}
