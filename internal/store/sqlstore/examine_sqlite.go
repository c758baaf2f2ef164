package sqlstore

import (
	"context"
	"fmt"
	"os"
)

// checks are what a file is looked at for, the reach first.
func (f sqliteFile) checks() []check {
	return []check{
		{"reach", f.examineVersion},
		{"mode", f.examineMode},
		{"write", f.examineWrite},
	}
}

func (f sqliteFile) examineVersion(ctx context.Context, in runner) (seen, do string, err error) {
	var version string
	var tables int
	err = in.row(ctx, "SELECT sqlite_version(), COUNT(*) FROM sqlite_master").Scan(&version, &tables)
	if err != nil {
		return failed(ctx, string(f), err).Error(), "see that smsd's user may read it and that it is no other file; a copy from before can take its place", nil
	}
	return fmt.Sprintf("%s: SQLite %s", f, version), "", nil
}

func (f sqliteFile) examineMode(context.Context, runner) (seen, do string, err error) {
	info, err := os.Stat(string(f))
	if err != nil {
		return "", "", err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Sprintf("others may read or write it (%v)", mode), "take that away (chmod go=)", nil
	}
	return "it is for its owner alone", "", nil
}

// examineWrite takes the lock of a writer for an instant.
func (f sqliteFile) examineWrite(ctx context.Context, _ runner) (seen, do string, err error) {
	db, err := f.connect(1, "_txlock=immediate")
	if err != nil {
		return "", "", err
	}
	defer db.Close()
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return failed(ctx, "write", err).Error(), "see that smsd's user may write to it and to its folder, and that no other program has it locked", nil
	}
	return "it can be written to", "", t.Rollback()
}
