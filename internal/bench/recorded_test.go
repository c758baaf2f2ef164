package bench

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"smsd/internal/testserver"
)

// unrecorded is an instance's setting that has it keep no records.
const unrecorded = recordsVariable + "=" + recordsNone

// startPostgres starts a server that is as safe as one in use, and has PostgreSQL's own defaults of memory.
func startPostgres(t testing.TB) *testserver.PostgresServer {
	t.Helper()
	return testserver.Postgres(t, testserver.Durable(), testserver.PostgresConfig("shared_buffers=128MB", "max_wal_size=1GB"))
}

// onPostgres is onRedis with records in PostgreSQL.
func onPostgres(t testing.TB, r *watched, p *testserver.PostgresServer, prefix string, settings ...string) *service {
	t.Helper()
	s := onRedis(t, r, prefix, append(settings, "SMSD_DATABASE_URL="+p.URL())...)
	s.database = p
	return s
}

// Where a row's name says nothing of records, they are in SQLite, as for those who set nothing.
const (
	withoutRecords = "/records=none"
	inPostgres     = "/records=postgres"
)

// compared are the rows that are also measured otherwise: on Redis all of them, with the stores in the process some.
var compared = []struct {
	row      string
	inOne    bool
	requests func(*service, int) []request
}{
	{"send", true, (*service).sends}, {"refused=cooldown", true, (*service).again}, {"refused=again", false, (*service).hammered},
	{"verify", true, (*service).verifies}, {"mix", false, (*service).mix},
}

// recordedRig is newRig with what tells how much of a row its records are: beside some rows the same without records,
// and the same with records in PostgreSQL.
func recordedRig(t testing.TB) *rig {
	t.Helper()
	r, seven := newRig(t), policyFile(t, sevenRules)
	plain := inOne(t, seven, unrecorded)
	none := onRedis(t, r.redis, "none", seven, unrecorded)
	postgres := onPostgres(t, r.redis, startPostgres(t), "postgres", seven)
	plain.recorded, none.recorded = false, false
	warm(plain, none, postgres)
	r.rows = append(r.rows, clusterRows(t, seven)...)
	for _, e := range compared {
		beside := func(store, records string, s *service) *row {
			return &row{name: store + e.row + records, on: s, requests: func(n int) []request { return e.requests(s, n) }}
		}
		if e.inOne {
			const store = "store=process/policy=seven/"
			r.insert(store+e.row, beside(store, withoutRecords, plain), nil)
		}
		const store = "store=redis/policy=seven/"
		r.insert(store+e.row, beside(store, withoutRecords, none), beside(store, inPostgres, postgres))
	}
	return r
}

// insert puts rows before and behind the one of this name: they are measured one after another, since the machine
// changes.
func (r *rig) insert(name string, before, behind *row) {
	i := slices.IndexFunc(r.rows, func(row *row) bool { return row.name == name })
	if behind != nil {
		r.rows = slices.Insert(r.rows, i+1, behind)
	}
	r.rows = slices.Insert(r.rows, i, before)
}

// addition is a row with records, and the same without.
type addition struct {
	name, records string
	with, without *row
}

// additions are all those of which both were measured.
func (r *rig) additions() (all []addition) {
	measured := map[string]*row{}
	for _, row := range r.rows {
		measured[row.name] = row
	}
	for _, row := range r.rows {
		name, records := row.name, "sqlite"
		if base, is := strings.CutSuffix(name, inPostgres); is {
			name, records = base, "postgres"
		}
		if without := measured[name+withoutRecords]; without != nil {
			all = append(all, addition{name, records, row, without})
		}
	}
	return all
}

// median returns that of a figure of each round with records and of the same round without.
func (a addition) median(of func(with, without figures) float64) float64 {
	var all []float64
	for i := range min(len(a.with.rounds), len(a.without.rounds)) {
		all = append(all, of(a.with.rounds[i], a.without.rounds[i]))
	}
	return median(all)
}

// printAdditions writes what records add to a request.
func (r *rig) printAdditions(w io.Writer) {
	fmt.Fprintf(w, "\n| %-43s | records  | rows | of the rate | server µs added | database µs | Redis µs added | allocs added | left out |\n", "what records add to a request")
	fmt.Fprintf(w, "|:%s|:---------|-----:|------------:|----------------:|------------:|---------------:|-------------:|---------:|\n", dashes(44))
	for _, a := range r.additions() {
		f := medians(a.with.rounds)
		fmt.Fprintf(w, "| %-43s | %-8s | %4.2f | %11.2f | %15.1f | %11.1f | %14.1f | %12.0f | %8.4f |\n", a.name, a.records, f.Rows,
			a.median(func(with, without figures) float64 { return with.Rate / without.Rate }),
			a.median(func(with, without figures) float64 { return with.ServerCPU - without.ServerCPU }), f.DatabaseCPU,
			a.median(func(with, without figures) float64 { return with.RedisCPU - without.RedisCPU }),
			a.median(func(with, without figures) float64 { return with.Allocs - without.Allocs }), f.Dropped)
	}
}

// accepts is a row whose answers wait for something that is written.
var accepts = regexp.MustCompile(`/(send|verify|mix)(/|$)`)

// checkRecords checks that what a row's name says of its records is so.
func (r *row) checkRecords(t testing.TB) {
	t.Helper()
	seen := *r.on
	seen.recorded = seen.Admin != "" // where nobody counts them too, but for the floor
	switch rows := seen.written().Rows; {
	case strings.HasSuffix(r.name, withoutRecords) && rows > 0:
		t.Errorf("%s: %.0f rows are written", r.name, rows)
	case !strings.HasSuffix(r.name, withoutRecords) && accepts.MatchString(r.name) && r.rounds[0].Rows < 1:
		t.Errorf("%s: %v rows a request", r.name, r.rounds[0].Rows)
	}
	if strings.HasSuffix(r.name, inPostgres) {
		r.on.database.Do("SELECT 1 / count(*) FROM verifications") // an error where there are none
	}
}
