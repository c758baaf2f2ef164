package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// BenchmarkAppend is what a batch costs: of verifications, of decisions, and of both, as a send makes them. Beside the time it
// prints rows a second and this process's own CPU time for each; PostgreSQL's comes on top, in its processes.
func BenchmarkAppend(b *testing.B) {
	for _, kind := range []struct {
		name string
		open func(*testing.B) *sqlstore.DB
	}{
		{"SQLite", func(b *testing.B) *sqlstore.DB { return openSQLite(b) }},
		{"Postgres", func(b *testing.B) *sqlstore.DB {
			return open(b, postgresOptions(testserver.Postgres(b, testserver.Durable()).Database(b, "")))
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			store := kind.open(b).Records()
			for _, rows := range []int{1, 20, 500} {
				for _, of := range []string{"verifications", "decisions", "sends"} {
					b.Run(fmt.Sprintf("%s/%d", of, rows), func(b *testing.B) { benchmarkAppend(b, store, of, rows) })
				}
			}
		})
	}
}

func benchmarkAppend(b *testing.B, store records.Store, of string, rows int) {
	random := rand.New(rand.NewPCG(1, uint64(rows)))
	writer, seq := uuid.NewString(), uint64(0)
	before := cpu(b)
	for b.Loop() {
		seq++
		batch := records.Batch{Writer: writer, Seq: seq}
		for range rows {
			v, d := sent(random)
			if of != "decisions" {
				batch.Verifications = append(batch.Verifications, v)
			}
			if of != "verifications" {
				batch.Decisions = append(batch.Decisions, d)
			}
		}
		if err := store.Append(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64((cpu(b)-before).Microseconds())/float64(b.N*rows), "cpu-us/row")
}

// sent is a send as a service makes it: random ids and subjects, the instant of now.
func sent(random *rand.Rand) (records.Verification, records.Decision) {
	now := time.Now()
	whom := records.Whom{Phone: someone(random), Host: someone(random), Network: someone(random)}
	id, request := uuid.NewString(), uuid.NewString()
	return records.Verification{
			SMSID: id, App: "default", Scene: "login", RequestID: request, Country: "CN", Prefix: "+861380013", Whom: whom,
			Sealed: make([]byte, 47), PolicyVersion: "5f2e8c1a", CreatedAt: now, ExpiresAt: now.Add(5 * time.Minute),
			Fate: records.Fate{Gateway: "main", Delivery: "accepted", Segments: 1},
		}, records.Decision{
			At: now, RequestID: request, App: "default", Action: "send", Scene: "login", Outcome: "accepted", SMSID: id, Country: "CN",
			Prefix: "+861380013", Whom: whom, Gateway: "main", PolicyVersion: "5f2e8c1a",
		}
}

func someone(random *rand.Rand) (h records.Hash) {
	for i := range h {
		h[i] = byte(random.Uint32())
	}
	return h
}

// cpu is the time that this process has used.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
