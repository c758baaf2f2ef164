package records_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"smsd/internal/records"
)

// BenchmarkRecordedSend is what records add to a send over SQLite, at some rates: the wait for its row in the middle and
// of the slowest hundredth, the CPU time of all that is written (row, change and decision), and how many rows go together.
func BenchmarkRecordedSend(b *testing.B) {
	for _, rate := range []int{50, 500, 2000, 5000} {
		b.Run(fmt.Sprint("rate=", rate), func(b *testing.B) {
			r := newRig(b, func(o *records.Options) { o.Store = fileStore(b, o.Dir).Records() })
			waits, late := make([]time.Duration, b.N), atomic.Int64{}
			before := cpu()
			begun := time.Now()
			var work sync.WaitGroup
			for i := range b.N {
				time.Sleep(time.Until(begun.Add(time.Duration(i) * time.Second / time.Duration(rate))))
				work.Go(func() {
					var err error
					if waits[i], err = r.recorded(id(i)); err != nil {
						late.Add(1)
					}
				})
			}
			work.Wait()
			r.close()
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)/2].Microseconds()), "us-p50")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds()), "us-p99")
			b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-us/send")
			b.ReportMetric(float64(late.Load())/float64(b.N), "late/send") // of a machine that is too slow or too busy
			b.ReportMetric(r.metric("written_total")/max(r.batches(), 1), "rows/batch")
		})
	}
}

// recorded is a send's share of the book; it returns how long the row took.
func (r *rig) recorded(id string) (took time.Duration, err error) {
	begun := time.Now()
	err = r.book.Accept(r.send(id)).Wait(r.t.Context())
	took = time.Since(begun)
	_ = r.book.Change(records.Change{SMSID: id, Fate: records.Fate{Gateway: "mock", Delivery: "accepted", Segments: 1}})
	a := refusal(r.number, "", 0)
	a.Outcome, a.AtWill = "accepted", false
	r.book.Decide(a)
	return took, err
}

// batches is how many there were.
func (r *rig) batches() float64 {
	r.t.Helper()
	families, err := r.registry.Gather()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "smsd_records_batch_rows" {
			return float64(f.GetMetric()[0].GetHistogram().GetSampleCount())
		}
	}
	return 0
}

// cpu is the CPU time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
