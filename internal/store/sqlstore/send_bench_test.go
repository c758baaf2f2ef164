package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"smsd/internal/records"
	"smsd/internal/requestid"
	"smsd/internal/testserver"
)

const (
	// benchSends are there before: each of them three rows, of which two stay.
	benchSends = 50_000
	// benchHosts share what is sent, as of people behind the same addresses.
	benchHosts = 4
)

// BenchmarkSend is what the rows of a send cost, by how many sends share a batch: the verification without what its gateway said,
// that as a change, and the decision. The tables hold 100,000 rows before. Beside the time it prints this process's own CPU time a
// send, that of the system in it, and that of PostgreSQL's processes.
func BenchmarkSend(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) {
		benchmarked{openSQLite(b).Records(), nil}.sends(b)
	})
	b.Run("Postgres", func(b *testing.B) {
		server := testserver.Postgres(b, testserver.Durable())
		benchmarked{open(b, postgresOptions(server.Database(b, ""))).Records(), server}.sends(b)
	})
}

func (s benchmarked) sends(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	writer, seq := uuid.NewString(), uint64(0)
	write := func(sends int) {
		seq++
		batch := sendsOf(random, sends)
		batch.Writer, batch.Seq = writer, seq
		if err := s.store.Append(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	for range benchSends / 500 {
		write(500)
	}
	for _, sends := range []int{1, 8, 25, 100} {
		b.Run(fmt.Sprint(sends), func(b *testing.B) {
			b.ReportAllocs()
			before, database := cpu(b), s.cpu()
			for b.Loop() {
				write(sends)
			}
			n := float64(b.N * sends)
			b.ReportMetric(float64((cpu(b)-before).Microseconds())/n, "cpu-us/send")
			b.ReportMetric(float64((s.cpu()-database).Microseconds())/n, "database-us/send")
		})
	}
}

// sendsOf is a batch of sends that their gateway took before it was written.
func sendsOf(random *rand.Rand, sends int) (batch records.Batch) {
	var host records.Whom
	for i := range sends {
		v, d := sent(random)
		if i%benchHosts == 0 {
			host = v.Whom
		}
		v.Whom.Host, v.Whom.Network = host.Host, host.Network
		v.RequestID = requestid.New()
		d.Whom, d.RequestID = v.Whom, v.RequestID
		change := records.Change{SMSID: v.SMSID, ExpiresAt: v.ExpiresAt.Add(time.Millisecond), Fate: v.Fate}
		v.Fate = records.Fate{}
		batch.Verifications = append(batch.Verifications, v)
		batch.Changes = append(batch.Changes, change)
		batch.Decisions = append(batch.Decisions, d)
	}
	return batch
}
