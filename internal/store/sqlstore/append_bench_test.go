package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"smsd/internal/records"
	"smsd/internal/testserver"
)

// BenchmarkAppend is what a batch costs: of verifications, of decisions, of both, as a send makes them, and of what becomes known
// later. Beside the time it prints rows a second, this process's own CPU time for each, and that of PostgreSQL's processes.
func BenchmarkAppend(b *testing.B) {
	for _, kind := range []struct {
		name string
		open func(*testing.B) benchmarked
	}{
		{"SQLite", func(b *testing.B) benchmarked { return benchmarked{openSQLite(b).Records(), nil} }},
		{"Postgres", func(b *testing.B) benchmarked {
			server := testserver.Postgres(b, testserver.Durable())
			return benchmarked{open(b, postgresOptions(server.Database(b, ""))).Records(), server}
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			on := kind.open(b)
			for _, rows := range []int{1, 20, 500} {
				for _, of := range []string{"verifications", "decisions", "sends", "changes"} {
					b.Run(fmt.Sprintf("%s/%d", of, rows), func(b *testing.B) { on.append(b, of, rows) })
				}
			}
		})
	}
}

// benchmarked is a store, and its server, if it has one.
type benchmarked struct {
	store  records.Store
	server *testserver.PostgresServer
}

func (s benchmarked) append(b *testing.B, of string, rows int) {
	random := rand.New(rand.NewPCG(1, uint64(rows)))
	writer, seq := uuid.NewString(), uint64(0)
	write := func(batch records.Batch) {
		seq++
		batch.Writer, batch.Seq = writer, seq
		if err := s.store.Append(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	var there records.Batch // what the changes are of
	for range 2000 {
		v, _ := sent(random)
		there.Verifications = append(there.Verifications, v)
	}
	write(there)
	before, database := cpu(b), s.cpu()
	for b.Loop() {
		var batch records.Batch
		for range rows {
			v, d := sent(random)
			if of == "verifications" || of == "sends" {
				batch.Verifications = append(batch.Verifications, v)
			}
			if of == "decisions" || of == "sends" {
				batch.Decisions = append(batch.Decisions, d)
			}
			if of == "changes" {
				id := there.Verifications[random.IntN(len(there.Verifications))].SMSID
				batch.Changes = append(batch.Changes, records.Change{SMSID: id, Fate: records.Fate{Gateway: "main", Segments: 1, Resends: 1, VerifiedAt: v.CreatedAt}})
			}
		}
		write(batch)
	}
	n := float64(b.N * rows)
	b.ReportMetric(n/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64((cpu(b)-before).Microseconds())/n, "cpu-us/row")
	b.ReportMetric(float64((s.cpu()-database).Microseconds())/n, "database-us/row")
}

// cpu is the time that the server has used, in hundredths of a second.
func (s benchmarked) cpu() time.Duration {
	if s.server == nil {
		return 0
	}
	return s.server.CPU()
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
