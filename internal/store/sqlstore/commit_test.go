package sqlstore_test

import (
	"errors"
	"testing"

	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// A batch whose statements have all been executed may still fail as it is committed, as on a server that meets another writer's only
// there: then nothing of it is there, and it may be handed over again.
func TestABatchThatIsNotCommitted(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	for _, mode := range []string{"cache_statement", "describe_exec", "exec", "simple_protocol"} {
		url := server.Database(t, "")
		db := open(t, sqlstore.Options{URL: secret.New(url + "&default_query_exec_mode=" + mode), PoolSize: 2})
		execute(t, postgresOptions(url), `CREATE FUNCTION obstacle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$;
			CREATE CONSTRAINT TRIGGER obstacle AFTER INSERT ON decisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION obstacle()`)
		for range 2 {
			if err := append1(t, db, batchOf(1, "")); !errors.Is(err, sqlstore.ErrUnavailable) {
				t.Errorf("%s: %v", mode, err)
			}
		}
		execute(t, postgresOptions(url), "DROP FUNCTION obstacle CASCADE")
		for range 2 {
			if err := append1(t, db, batchOf(1, "")); err != nil {
				t.Errorf("%s, again: %v", mode, err)
			}
		}
		if v, d := count(t, db); v != 1 || d != 2 {
			t.Errorf("%s: %d verifications and %d decisions, want 1 and 2", mode, v, d)
		}
	}
}
