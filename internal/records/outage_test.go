package records_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"smsd/internal/records"
	"smsd/internal/testserver"
)

// traffic is sends that never stop: of each a row, and then a change.
type traffic struct {
	rig  *rig
	stop chan struct{}
	work sync.WaitGroup

	mu                    sync.Mutex
	handed, rows, changes map[string]bool // what was handed over, and what was answered for
}

func newTraffic(r *rig) *traffic {
	f := &traffic{rig: r, stop: make(chan struct{}), handed: map[string]bool{}, rows: map[string]bool{}, changes: map[string]bool{}}
	for w := range 8 {
		f.work.Go(func() { f.run(w) })
	}
	return f
}

func (f *traffic) run(w int) {
	for i := 0; ; i++ {
		select {
		case <-f.stop:
			return
		case <-time.After(time.Millisecond): // so that one test is not all that the machine does
		}
		id := fmt.Sprintf("%d-%d", w, i)
		f.note(f.handed, id, nil)
		f.note(f.rows, id, f.rig.book.Accept(f.rig.send(id)).Wait(context.Background()))
		f.note(f.changes, id, f.rig.resend(id))
	}
}

func (f *traffic) note(in map[string]bool, id string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		in[id] = true
	}
}

func (f *traffic) answered() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.rows)
}

// more waits until so many more sends were answered for.
func (f *traffic) more(n int) {
	f.rig.t.Helper()
	want := f.answered() + n
	for end := time.Now().Add(time.Minute); f.answered() < want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			f.rig.t.Fatalf("%d answered of %d", f.answered(), want)
		}
	}
}

// end stops the traffic and demands that everything answered for is in the database, and nothing there twice.
func (f *traffic) end(from records.Reader) {
	f.rig.t.Helper()
	close(f.stop)
	f.work.Wait()
	f.rig.drained()
	for id := range f.handed {
		v, err := from.Verification(f.rig.t.Context(), id)
		switch {
		case errors.Is(err, records.ErrNotFound) && !f.rows[id]:
		case err != nil:
			f.rig.t.Errorf("%s: answered %t: %v", id, f.rows[id], err)
		case v.Fate.Resends > 1 || f.changes[id] && v.Fate.Resends != 1:
			f.rig.t.Errorf("%s: %d changes, answered %t", id, v.Fate.Resends, f.changes[id])
		}
	}
	f.rig.t.Logf("%d answered of %d", len(f.rows), len(f.handed))
}

// PostgreSQL is frozen and killed under load: no answered row is lost, none doubled, sends go on meanwhile, and the spool is
// empty afterwards.
func TestPostgresAwayUnderLoad(t *testing.T) {
	t.Parallel()
	for name, outage := range map[string]struct {
		begin, end func(*testserver.PostgresServer)
	}{
		"frozen": {(*testserver.PostgresServer).Freeze, (*testserver.PostgresServer).Thaw},
		"killed": {(*testserver.PostgresServer).Kill, (*testserver.PostgresServer).Restart},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testserver.Postgres(t)
			db := sqlStore(t, "", server.URL())
			r := newRig(t, func(o *records.Options) { o.Store = db.Records() })
			f := newTraffic(r)
			for range 2 {
				f.more(300)
				outage.begin(server)
				f.more(300)
				if r.book.Status().Away.IsZero() || r.book.Status().SpooledBytes == 0 {
					t.Errorf("status %+v", r.book.Status())
				}
				outage.end(server)
			}
			f.end(db.Records())
			if r.metric("spooled_total") < 600 || r.metric("spool_bytes") != 0 {
				t.Errorf("%v rows were spooled, %v bytes are left", r.metric("spooled_total"), r.metric("spool_bytes"))
			}
		})
	}
}
