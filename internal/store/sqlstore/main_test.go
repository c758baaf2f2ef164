package sqlstore_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
)

// TestMain lets the test binary be one of several processes that migrate a database.
func TestMain(m *testing.M) {
	file, url := os.Getenv(migrateFile), os.Getenv(migrateURL)
	if file == "" && url == "" {
		os.Exit(m.Run())
	}
	db, err := sqlstore.New(sqlstore.Options{File: file, URL: secret.New(url)})
	if err == nil {
		_, err = db.MigrateUp(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
