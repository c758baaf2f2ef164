package testserver

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Exec runs statements as the user who may do everything, in the database postgres.
func (s *PostgresServer) Exec(statements string) error {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	c, err := pgx.Connect(ctx, s.URL())
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }()
	_, err = c.Exec(ctx, statements)
	return err
}

// Do is [PostgresServer.Exec] where an error fails the test.
func (s *PostgresServer) Do(statements string) {
	s.t.Helper()
	if err := s.Exec(statements); err != nil {
		s.t.Fatal(err)
	}
}

// Database makes a database that holds what another one does, whose URL is like and to which nobody may be connected;
// "": an empty one. It returns its URL, and is for any goroutine, with the test that runs there.
func (s *PostgresServer) Database(t testing.TB, like string) string {
	t.Helper()
	template := "template0"
	if u, err := url.Parse(like); err == nil && like != "" {
		template = strings.TrimPrefix(u.Path, "/")
	}
	name := fmt.Sprintf("test%d", s.made.Add(1))
	if err := s.Exec("CREATE DATABASE " + name + " TEMPLATE " + pgx.Identifier{template}.Sanitize()); err != nil {
		t.Fatal(err)
	}
	return s.urlOf(name)
}
