package testserver

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// askPostgres runs a statement in the database of url, for at most limit.
func askPostgres(t *testing.T, url, statement string, limit time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }()
	_, err = c.Exec(ctx, statement)
	return err
}

func TestPostgresIsPrivate(t *testing.T) {
	t.Parallel()
	a, b := Postgres(t), Postgres(t)
	a.Do("CREATE TABLE only_a (n int)")
	if err := b.Exec("SELECT * FROM only_a"); err == nil {
		t.Error("b has what was made in a")
	}
	first := a.Database(t, "")
	if err := askPostgres(t, first, "CREATE TABLE things (n int)", askTimeout); err != nil {
		t.Fatal(err)
	}
	if err := askPostgres(t, a.Database(t, first), "SELECT * FROM things", askTimeout); err != nil {
		t.Errorf("a copy: %v", err)
	}
	if err := askPostgres(t, a.Database(t, ""), "SELECT * FROM things", askTimeout); err == nil {
		t.Error("an empty database has what was made in another one")
	}
}

func TestPostgresFrozenAnswersNobody(t *testing.T) {
	t.Parallel()
	s := Postgres(t)
	c, err := pgx.Connect(t.Context(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	s.Freeze()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.Exec(ctx, "SELECT 1"); err == nil {
		t.Error("a connection from before is answered")
	}
	if err := askPostgres(t, s.URL(), "SELECT 1", 100*time.Millisecond); err == nil {
		t.Error("a new connection is answered")
	}
	s.Thaw()
	s.Do("SELECT 1")
}

func TestPostgresKilledKeepsWhatWasCommitted(t *testing.T) {
	t.Parallel()
	for _, options := range [][]PostgresOption{nil, {Durable()}} {
		s := Postgres(t, options...)
		s.Do("CREATE TABLE things (n int); INSERT INTO things VALUES (1)")
		s.Freeze()
		s.Kill()
		s.Kill()
		if err := s.Exec("SELECT 1"); err == nil {
			t.Fatal("it answers")
		}
		s.Restart()
		s.Do("INSERT INTO things SELECT 1 / count(*) FROM things")
	}
}
