package sqlstore_test

import (
	"math/rand/v2"
	"testing"

	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// Behind PgBouncer in transaction mode no statement is prepared: values go as text then.
func TestRecordsWithoutPreparedStatements(t *testing.T) {
	t.Parallel()
	url := testserver.Postgres(t).Database(t, "")
	plain := open(t, postgresOptions(url))
	db := open(t, sqlstore.Options{URL: secret.New(url + "&default_query_exec_mode=exec"), PoolSize: 2})
	batch := sendsOf(rand.New(rand.NewPCG(1, 2)), 20)
	batch.Verifications[3].Scene = `{"a\,b"} NULL`
	batch.Changes[4].SMSID = "early"
	batch.Writer, batch.Seq = "writer", 1
	for range 2 { // the second time it was written before
		if err := db.Records().Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if v, d := count(t, plain); v != 20 || d != 20 {
		t.Errorf("%d verifications, %d decisions", v, d)
	}
	for i := range batch.Verifications {
		want, err := plain.Records().Verification(t.Context(), batch.Verifications[i].SMSID)
		if err != nil || want.Scene != batch.Verifications[i].Scene || want.Whom != batch.Verifications[i].Whom || i != 4 && want.Fate != batch.Changes[i].Fate {
			t.Errorf("%+v, %v", want, err)
		}
	}
}
