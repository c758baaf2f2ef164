package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
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

// ledger is one process after the other on one database, and what their clients were answered.
type ledger struct {
	t           *testing.T
	environment []string
	database    sqlstore.Options
	*instance

	mu       sync.Mutex
	accepted []string // the sms_ids of sends that were answered 200
	sent     int      // that were asked for
}

const wideOpen = "limits: [{name: net, by: [ip_net], limit: 1000000, window: 1h}]\n" +
	"scenes:\n  login: {templates: {en: \"{{.Code}} is your code.\"}}\n"

// newLedger keeps its rows in PostgreSQL at url; "": in SQLite.
func newLedger(t *testing.T, url string) *ledger {
	t.Helper()
	dir := t.TempDir()
	policy := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(policy, []byte(wideOpen), 0o600); err != nil {
		t.Fatal(err)
	}
	return &ledger{
		t: t, database: sqlstore.Options{URL: secret.New(url), File: filepath.Join(dir, "smsd.db")},
		environment: []string{
			"PATH=" + os.Getenv("PATH"), "SMSD_DATA_DIR=" + dir, "SMSD_POLICY_FILE=" + policy, "SMSD_DATABASE_URL=" + url,
			"SMSD_LOCAL_IP_RATE=100000", "SMSD_LOCAL_IP_BURST=100000", "SMSD_LOCAL_RATE=100000", "SMSD_LOCAL_BURST=100000",
		},
	}
}

func (l *ledger) next() {
	l.t.Helper()
	l.instance = begin(l.t, l.environment)
}

// send asks for one message to a number that nobody else has.
func (l *ledger) send() int {
	l.mu.Lock()
	l.sent++
	phone := fmt.Sprintf("+86138%08d", l.sent)
	l.mu.Unlock()
	var sent struct {
		ID string `json:"sms_id"`
	}
	status := ask(http.MethodPost, l.api+"/api/v1/sms/send", map[string]string{"phone": phone, "scene": "login"}, &sent)
	if status == http.StatusOK {
		l.mu.Lock()
		l.accepted = append(l.accepted, sent.ID)
		l.mu.Unlock()
	}
	return status
}

// count is how many sends were answered 200 so far.
func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.accepted)
}

// waitFor waits until so many sends more were answered 200.
func (l *ledger) waitFor(more int) {
	l.t.Helper()
	want := l.count() + more
	for end := time.Now().Add(time.Minute); l.count() < want; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatalf("no %d sends within a minute:\n%s", more, l.stderr.String())
		}
	}
}

// flood sends from several clients until stop ends or nobody answers.
func (l *ledger) flood(stop context.Context, clients *sync.WaitGroup) {
	for range 8 {
		clients.Go(func() {
			for stop.Err() == nil && l.send() != 0 {
			}
		})
	}
}

// settle lets a process write what the spool has, and ends it in order.
func (l *ledger) settle() {
	l.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if metric(l.t, l.admin, "smsd_records_away") == "0" {
			break
		}
		if time.Now().After(end) {
			l.t.Fatalf("the spool is not drained after a minute:\n%s", l.stderr.String())
		}
	}
	if code, err := l.stop(os.Interrupt); err != nil || code != 0 {
		l.t.Fatalf("stopped with %d, %v:\n%s", code, err, l.stderr.String())
	}
}

// metric is the value of a metric without labels.
func metric(t *testing.T, admin, name string) string {
	t.Helper()
	response, err := http.Get(admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, name+" "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// check finds the row of every send that was answered 200, and no send twice.
func (l *ledger) check() {
	l.t.Helper()
	db, err := sqlstore.Open(l.t.Context(), l.database)
	if err != nil {
		l.t.Fatal(err)
	}
	defer db.Close()
	lost := 0
	for _, id := range l.accepted {
		if _, err := db.Records().Verification(l.t.Context(), id); err != nil {
			lost++
		}
	}
	requests, rows := map[string]bool{}, 0
	for f := (records.Filter{Limit: records.MaxPage}); ; {
		page, after, err := db.Records().Verifications(l.t.Context(), f)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, v := range page {
			rows++
			requests[v.RequestID] = true
		}
		if f.After = after; after == (records.Cursor{}) {
			break
		}
	}
	if lost > 0 || rows != len(requests) {
		l.t.Errorf("of %d sends that were answered 200, %d have no row; %d rows of %d requests", len(l.accepted), lost, rows, len(requests))
	}
	l.t.Logf("%d sends asked for, %d answered 200, %d rows", l.sent, len(l.accepted), rows)
}

// databases runs a test on SQLite and on PostgreSQL. A row is on disk in both when the client is told.
func databases(t *testing.T, test func(t *testing.T, url string)) {
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, "") })
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, testserver.Postgres(t, testserver.Durable()).URL())
	})
}

// kill -9 at random moments under load: what was answered 200 has its row.
func TestKilledWithEveryRowOnDisk(t *testing.T) {
	t.Parallel()
	kills := 4
	if os.Getenv("SMSD_FULL") == "1" {
		kills = 200
	}
	databases(t, func(t *testing.T, url string) {
		l := newLedger(t, url)
		for range kills {
			l.next()
			var clients sync.WaitGroup
			l.flood(t.Context(), &clients)
			l.waitFor(1 + rand.IntN(40))
			time.Sleep(rand.N(5 * time.Millisecond)) // in the middle of something
			l.kill()
			clients.Wait()
		}
		l.next()
		l.settle()
		l.check()
	})
}

// PostgreSQL frozen and then killed under load: sends go on, none that was answered is lost or doubled, and what was
// spooled is in the database afterwards.
func TestDatabaseAwayUnderLoad(t *testing.T) {
	t.Parallel()
	var away time.Duration // at least; a moment is enough to see what goes to the spool
	if os.Getenv("SMSD_FULL") == "1" {
		away = 30 * time.Second
	}
	server := testserver.Postgres(t, testserver.Durable())
	l := newLedger(t, server.URL())
	l.next()
	stop, end := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	l.flood(stop, &clients)
	l.waitFor(20)
	for _, outage := range []struct{ begin, end func() }{{server.Freeze, server.Thaw}, {server.Kill, server.Restart}} {
		outage.begin()
		over := time.After(away)
		l.waitFor(200)
		<-over
		if metric(t, l.admin, "smsd_records_away") != "1" {
			t.Error("nobody is told that the database is away")
		}
		outage.end()
		l.waitFor(20)
	}
	end()
	clients.Wait()
	l.settle()
	l.check()
}
