package app_test

import (
	"database/sql"
	"testing"

	"smsd/internal/app"
	"smsd/internal/config"
)

// Where a step fails, those before it are done, and who migrates is told which.
func TestStepsBeforeOneThatFails(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.DataDir = t.TempDir()
	db, err := sql.Open("sqlite", cfg.DatabaseFile())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE handles (of_somebody INTEGER)"); err != nil { // as the third step does
		t.Fatal(err)
	}
	applied, err := app.MigrateUp(t.Context(), cfg)
	if err == nil || len(applied) != 2 {
		t.Errorf("applied %+v, %v", applied, err)
	}
}
