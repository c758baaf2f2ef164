package records_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/records"
	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// fileStore is SQLite in a folder.
func fileStore(t testing.TB, dir string) *sqlstore.DB { return sqlStore(t, dir, "") }

// sqlStore is PostgreSQL, or else SQLite in a folder.
func sqlStore(t testing.TB, dir, url string) *sqlstore.DB {
	t.Helper()
	o := sqlstore.Options{File: filepath.Join(dir, "smsd.db")}
	if url != "" {
		o = sqlstore.Options{URL: secret.New(url)}
	}
	db, err := sqlstore.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// moody is a database that is away for a moment now and then, and sometimes fails after it has committed.
type moody struct {
	records.Store
	mu    sync.Mutex
	calls int
}

func (m *moody) mood() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	return m.calls
}

func (m *moody) Append(ctx context.Context, b records.Batch) error {
	n := m.mood()
	if n%40 >= 34 {
		return errDown
	}
	if err := m.Store.Append(ctx, b); err != nil {
		return err
	}
	if n%7 == 0 {
		return errDown
	}
	return nil
}

// What the child is told.
const (
	childDir = "SMSD_TEST_RECORDS_DIR"
	childURL = "SMSD_TEST_RECORDS_URL" // empty: SQLite in childDir
)

// TestTheKilledChild is the process that [TestKilledAtAnyMoment] kills: it writes for as long as it lives, and says which
// rows were answered for.
func TestTheKilledChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("a part of TestKilledAtAnyMoment")
	}
	book, err := records.Open(records.Options{Store: &moody{Store: sqlStore(t, dir, os.Getenv(childURL)).Records()}, Keys: keysOf(t, 1), Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, book: book, number: number(t, "+8613800138000"), client: client(t, "203.0.113.7")}
	var work sync.WaitGroup
	for w := range 8 {
		work.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("%d-%d-%d", os.Getpid(), w, i)
				r.child(id)
			}
		})
	}
	work.Wait()
}

// child writes a row and a change, and tells of each when it is on disk. A line is one write, which a kill can't tear.
func (r *rig) child(id string) {
	if r.book.Accept(r.send(id)).Wait(context.Background()) == nil {
		_, _ = os.Stdout.WriteString("row " + id + "\n")
	}
	if r.resend(id) == nil {
		_, _ = os.Stdout.WriteString("change " + id + "\n")
	}
	r.book.Decide(refusal(r.number, "hour", 1))
}

// A process that is killed at any moment has lost nothing that it answered for, and doubled nothing, whether the database
// was there or away.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) { t.Parallel(); killedOften(t, "", 20) })
	t.Run("PostgreSQL", func(t *testing.T) { t.Parallel(); killedOften(t, testserver.Postgres(t).URL(), 10) })
}

func killedOften(t *testing.T, url string, times int) {
	dir := t.TempDir()
	rows, changes := map[string]bool{}, map[string]bool{}
	for range times {
		for _, line := range killed(t, dir, url, 1+rand.IntN(400)) {
			if id, ok := strings.CutPrefix(line, "row "); ok {
				rows[id] = true
			} else if id, ok := strings.CutPrefix(line, "change "); ok {
				changes[id] = true
			}
		}
	}
	db := sqlStore(t, dir, url)
	r := newRig(t, func(o *records.Options) { o.Store, o.Dir = db.Records(), dir })
	r.drained()
	for id := range rows {
		v, err := db.Records().Verification(t.Context(), id)
		if err != nil {
			t.Errorf("row %s: %v", id, err)
		} else if v.Fate.Resends > 1 || changes[id] && v.Fate.Resends != 1 {
			t.Errorf("row %s: %d changes, answered %t", id, v.Fate.Resends, changes[id])
		}
	}
	if r.log.count("is damaged") != 0 {
		t.Error("what was answered for is damaged")
	}
	t.Logf("%d rows, %d changes", len(rows), len(changes))
}

// killed runs the child until it has told of so many, and returns all that it told.
func killed(t *testing.T, dir, url string, after int) (told []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheKilledChild$", "-test.timeout=60s")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childURL+"="+url)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(50*time.Second, func() { _ = cmd.Process.Kill() })
	defer guard.Stop()
	lines := bufio.NewScanner(io.LimitReader(out, 10<<20))
	for lines.Scan() {
		if told = append(told, lines.Text()); len(told) == after {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || len(told) < after {
		t.Fatalf("the child ended by itself after %d lines: %v: %v", len(told), err, told)
	}
	return told
}
