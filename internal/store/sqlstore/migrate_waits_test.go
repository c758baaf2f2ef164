package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// oneStepBehind is a database that lacks the last step.
func oneStepBehind(t *testing.T) sqlstore.Options {
	t.Helper()
	o := postgresOptions(testserver.Postgres(t).Database(t, ""))
	_, all := steps(t, unopened(t, o))
	if err := unopened(t, o).MigrateTo(t.Context(), int64(all-1)); err != nil {
		t.Fatal(err)
	}
	return o
}

// asks asks until the answer is as wanted.
func asks(t *testing.T, o sqlstore.Options, question string, want ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for got := []string{"nothing was asked yet"}; !slices.Equal(got, want); {
		var err error
		if got, err = unopened(t, o).Ask(ctx, question); err != nil {
			t.Fatal(err, question)
		}
	}
}

// readsForLong holds a table for as long as its transaction lasts, however slow the machine is.
const readsForLong = "SET idle_in_transaction_session_timeout = 0; SELECT count(*) FROM handles"

const stepWaits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"

// Somebody reads a table for long, as a backup does, and a step that changes the table waits for that. Whoever writes meanwhile does not
// wait behind the step for as long: the step gives its place up, and comes again.
func TestNobodyWaitsBehindAStepThatWaits(t *testing.T) {
	t.Parallel()
	o := oneStepBehind(t)
	endRead, err := unopened(t, o).Begin(t.Context(), readsForLong)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	migrated := make(chan error, 1)
	go func() { _, err := unopened(t, o).MigrateUp(ctx); migrated <- err }()
	asks(t, o, stepWaits, "1")
	for range 3 {
		if err := unopened(t, o).Execute(ctx, "UPDATE handles SET at = 1"); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-migrated:
		t.Fatalf("the step did not wait for the reader: %v", err)
	default:
	}
	if err := errors.Join(endRead("SELECT 1"), <-migrated); err != nil {
		t.Error(err)
	}
	if _, pending := steps(t, unopened(t, o)); pending != 0 {
		t.Errorf("%d steps are pending", pending)
	}
}

// Who waited in vain is told for what, and that it may pass.
func TestAStepThatIsHeldUpSaysByWhat(t *testing.T) {
	t.Parallel()
	o := oneStepBehind(t)
	endRead, err := unopened(t, o).Begin(t.Context(), readsForLong)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	migrated := make(chan error, 1)
	go func() { _, err := unopened(t, o).MigrateUp(ctx); migrated <- err }()
	asks(t, o, stepWaits, "1")
	asks(t, o, stepWaits, "0") // its try is over
	asks(t, o, stepWaits, "1")
	cancel() // in the midst of the next try, or in the pause behind it
	if err := <-migrated; !errors.Is(err, context.Canceled) || !errors.Is(err, sqlstore.ErrUnavailable) || !strings.Contains(err.Error(), "a long transaction used a table") {
		t.Errorf("got %v", err)
	}
	if err := endRead("SELECT 1"); err != nil {
		t.Error(err)
	}
}

// A migration that is given up, in whatever moment, leaves nothing on the server: neither the lock, nor a transaction, nor a connection. Each
// next one is given a little longer, until one is through.
func TestAMigrationThatIsGivenUpLeavesNothing(t *testing.T) {
	t.Parallel()
	o := postgresOptions(testserver.Postgres(t).Database(t, ""))
	for most := time.Millisecond; ; most += most/8 + time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), most)
		_, err := unopened(t, o).MigrateUp(ctx)
		cancel()
		if err == nil {
			break
		}
		if most > time.Minute || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, sqlstore.ErrUnavailable) {
			t.Fatalf("given up after %s: %v", most, err)
		}
	}
	leavesNothing(t, o)
}

// Nor does one that is given up while it waits for another one.
func TestAWaitForAMigrationThatIsGivenUpLeavesNothing(t *testing.T) {
	t.Parallel()
	o := postgresOptions(testserver.Postgres(t).Database(t, ""))
	unlock := lockMigrations(t, o)
	for i := range 40 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
		if _, err := unopened(t, o).MigrateUp(ctx); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, sqlstore.ErrUnavailable) {
			t.Errorf("given up after %d ms: %v", i, err)
		}
		cancel()
	}
	unlock()
	leavesNothing(t, o)
	if _, err := unopened(t, o).MigrateUp(t.Context()); err != nil {
		t.Error(err)
	}
}

// leavesNothing waits until the server has neither a lock nor a connection of this database but the one that asks.
func leavesNothing(t *testing.T, o sqlstore.Options) {
	t.Helper()
	const database = "(SELECT oid FROM pg_database WHERE datname = current_database())"
	asks(t, o, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = "+database, "0")
	asks(t, o, "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND datid = "+database, "0")
}
