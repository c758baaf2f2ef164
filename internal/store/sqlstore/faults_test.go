package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// batchOf is a batch of rows with the given number, as one writer makes it.
func batchOf(seq uint64, rule string) records.Batch {
	now := time.Now().UTC().Truncate(time.Millisecond)
	id := fmt.Sprintf("id-%d", seq)
	return records.Batch{
		Writer: "writer", Seq: seq,
		Verifications: []records.Verification{{SMSID: id, Prefix: "+861380013", CreatedAt: now, ExpiresAt: now.Add(time.Minute)}},
		Changes:       []records.Change{{SMSID: id, Fate: records.Fate{Resends: 1}}},
		Decisions:     []records.Decision{{At: now, RequestID: "first"}, {At: now, RequestID: "second", Rule: rule, Prefix: "+861380013"}},
	}
}

func append1(t *testing.T, db *sqlstore.DB, b records.Batch) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return db.Records().Append(ctx, b)
}

const patience = 30 * time.Second

// count returns how many verifications and decisions there are.
func count(t *testing.T, db *sqlstore.DB) (verifications, decisions int) {
	t.Helper()
	v, _, err := db.Records().Verifications(t.Context(), records.Filter{Limit: records.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := db.Records().Decisions(t.Context(), records.Filter{Limit: records.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	return len(v), len(d)
}

// obstacles refuse the row of the rule obstacle, quoting it.
var obstacles = map[string][2]string{
	"SQLite": {`CREATE TRIGGER obstacle BEFORE INSERT ON decisions WHEN NEW.rule = 'obstacle' BEGIN SELECT RAISE(ABORT, 'refused'); END`, "DROP TRIGGER obstacle"},
	"Postgres": {`CREATE FUNCTION obstacle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		RAISE EXCEPTION 'refused %', NEW.prefix USING DETAIL = 'Failing row contains ' || NEW.prefix, ERRCODE = '23514'; END $$;
		CREATE TRIGGER obstacle BEFORE INSERT ON decisions FOR EACH ROW WHEN (NEW.rule = 'obstacle') EXECUTE FUNCTION obstacle()`, "DROP FUNCTION obstacle CASCADE"},
}

// What fails in the middle of a batch leaves nothing of it, not even that it was tried.
func TestABatchIsWrittenWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			o := empty(t)
			db := open(t, o)
			execute(t, o, obstacles[name][0])
			err := append1(t, db, batchOf(1, "obstacle"))
			if err == nil || errors.Is(err, sqlstore.ErrUnavailable) {
				t.Errorf("refused by the database: %v", err)
			}
			if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "+86138") {
				t.Errorf("the error quotes the row: %#v", err)
			}
			if v, d := count(t, db); v != 0 || d != 0 {
				t.Errorf("%d verifications and %d decisions are left", v, d)
			}
			execute(t, o, obstacles[name][1])
			if err := append1(t, db, batchOf(1, "obstacle")); err != nil {
				t.Fatal(err)
			}
			if v, d := count(t, db); v != 1 || d != 2 {
				t.Errorf("%d verifications and %d decisions, want 1 and 2", v, d)
			}
		})
	}
}

// A server that does not answer holds a caller no longer than it waits, and what it asked for may be asked for again.
func TestAFrozenServer(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	db := open(t, postgresOptions(server.Database(t, "")))
	server.Freeze()
	for i := range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		err := db.Records().Append(ctx, batchOf(1, ""))
		if !errors.Is(err, sqlstore.ErrUnavailable) {
			t.Errorf("append %d: %v", i, err)
		}
		if _, err := db.Keys().Version(ctx); !errors.Is(err, sqlstore.ErrUnavailable) {
			t.Errorf("version %d: %v", i, err)
		}
		cancel()
	}
	server.Thaw()
	for range 2 {
		if err := append1(t, db, batchOf(1, "")); err != nil {
			t.Fatal(err)
		}
	}
	if v, d := count(t, db); v != 1 || d != 2 {
		t.Errorf("%d verifications and %d decisions, want 1 and 2", v, d)
	}
}

// A server that is killed again and again loses nothing that it took, and nothing is there twice: a batch of which nobody
// can tell is handed over again.
func TestAServerThatIsKilled(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t, testserver.Durable())
	db := open(t, postgresOptions(server.Database(t, "")))
	const batches = 200
	written := make(chan int, batches)
	go func() {
		defer close(written)
		for seq := 1; seq <= batches; {
			if err := append1(t, db, batchOf(uint64(seq), "")); err == nil {
				written <- seq
				seq++
			} else if !errors.Is(err, sqlstore.ErrUnavailable) {
				t.Errorf("batch %d: %v", seq, err)
				return
			}
		}
	}()
	for seq := range written {
		if seq%50 == 0 {
			server.Kill()
			server.Restart()
		}
	}
	if v, d := count(t, db); v != batches || d != 2*batches {
		t.Errorf("%d verifications and %d decisions, want %d and %d", v, d, batches, 2*batches)
	}
	v, _, err := db.Records().Verifications(t.Context(), records.Filter{Limit: records.MaxPage})
	for _, one := range v {
		if one.Fate.Resends != 1 {
			t.Errorf("%s was changed %d times, %v", one.SMSID, one.Fate.Resends, err)
		}
	}
}

// What cannot be reached is told without the password, and whether it may pass is right.
func TestErrorsOfAServer(t *testing.T) {
	t.Parallel()
	server := testserver.Postgres(t)
	server.Do("CREATE ROLE reader LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	socket := strings.SplitN(server.URL(), "host=", 2)[1]
	for name, c := range map[string]struct {
		url    string
		passes bool
		says   string
	}{
		"nobody there":    {"postgres://smsd:hunter2@127.0.0.1:1/smsd", true, "127.0.0.1:1"},
		"no such host":    {"postgres://smsd:hunter2@nowhere.invalid/smsd", true, "nowhere.invalid"},
		"no such socket":  {"postgres://smsd:hunter2@/smsd?host=/nowhere", true, "/nowhere"},
		"no such base":    {"postgres://smsd:hunter2@/nothing?host=" + socket, false, `database "nothing" does not exist: make the database`},
		"no such user":    {"postgres://nobody:hunter2@/postgres?host=" + socket, false, `role "nobody" does not exist: see user and password`},
		"not allowed":     {"postgres://reader:hunter2@/postgres?host=" + socket, false, "grant CREATE on the schema"},
		"password inside": {"postgres://smsd@/nothing?password=hunter2&host=" + socket, false, `"nothing"`},
	} {
		db := unopened(t, postgresOptions(c.url))
		err := db.Open(t.Context())
		if err == nil || errors.Is(err, sqlstore.ErrUnavailable) != c.passes || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(fmt.Sprintf("%v %#v", err, err), "hunter2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the password or a line's end is in %#v", name, err)
		}
	}
	if _, err := sqlstore.New(postgresOptions("postgres://smsd:hunter2@localhost:port/smsd")); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("no URL: %v", err)
	}
}

// SQLite's files are for their owner alone.
func TestFilesAreForTheirOwner(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	db := open(t, sqlstore.Options{File: filepath.Join(folder, "a file?mode=memory#1%41.db")})
	if err := append1(t, db, batchOf(1, "")); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, one := range append(files, fs.FileInfoToDirEntry(stat(t, folder))) {
		info, err := one.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v, %v", one.Name(), info.Mode(), err)
		}
	}
	stat(t, filepath.Join(folder, "a file?mode=memory#1%41.db"))
}

func stat(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// What is erased is not in SQLite's file any more, nor beside it.
func TestWhatIsErasedIsGoneFromTheFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := open(t, sqlstore.Options{File: filepath.Join(folder, "smsd.db")})
	const sealed = "a sealed number of some length, that is longer in a few rows than in others"
	batch := records.Batch{Writer: "writer", Seq: 1}
	for n := range 50 {
		whose := records.Hash{byte(1 + n%2)} // every second row is to go
		batch.Verifications = append(batch.Verifications, records.Verification{SMSID: fmt.Sprint(n), Whom: records.Whom{Phone: whose},
			Sealed: []byte(strings.Repeat(map[bool]string{true: sealed, false: "another's"}[n%2 == 0], 1+n%7*30)), CreatedAt: time.Now(), ExpiresAt: time.Now()})
	}
	if err := append1(t, db, batch); err != nil {
		t.Fatal(err)
	}
	if !inFolder(t, folder, sealed) {
		t.Fatal("it is nowhere, so that it cannot go")
	}
	if erased, err := db.Records().Erase(t.Context(), []records.Hash{{1}}); err != nil || erased.Verifications != 25 {
		t.Fatal(erased, err)
	}
	if inFolder(t, folder, sealed) {
		t.Error("it is there still")
	}
}

func inFolder(t *testing.T, folder, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		held, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(held), text) {
			return true
		}
	}
	return false
}
