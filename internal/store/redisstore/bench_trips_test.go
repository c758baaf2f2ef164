package redisstore

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// What calls cost by the number of callers: client is the CPU of the callers and the dispatcher, redis the server's.
func BenchmarkTrips(b *testing.B) {
	for _, callers := range []int{1, 8, 64, 256} {
		b.Run("callers="+strconv.Itoa(callers), func(b *testing.B) { benchmarkTrips(b, callers) })
	}
}

func benchmarkTrips(b *testing.B, callers int) {
	s := testserver.Redis(b)
	store, server := open(b, s.URL()).Counters(), raw(b, s)
	phone, address := phonePlan(), addressPlan()
	took := make([]time.Duration, b.N)
	call := func(n int) {
		start := time.Now()
		_, err := store.Take(context.Background(), throttle.Take{ID: uint32(n), Groups: []throttle.Group{
			{Key: tagged(n, "p"), Plan: phone}, {Key: tagged(n, "i"), Plan: address},
		}})
		if took[n] = time.Since(start); err != nil {
			b.Error(err)
		}
	}
	redisBefore, clientBefore := cpuMicros(server), ownMicros()
	b.ResetTimer()
	var next atomic.Int64
	var work sync.WaitGroup
	for range callers {
		work.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				call(int(n - 1))
			}
		})
	}
	work.Wait()
	b.StopTimer()
	count := float64(b.N)
	b.ReportMetric((cpuMicros(server)-redisBefore)/count, "redis-µs/op")
	b.ReportMetric((ownMicros()-clientBefore)/count, "client-µs/op")
	slices.Sort(took)
	b.ReportMetric(micros(took[len(took)/2]), "p50-µs")
	b.ReportMetric(micros(took[len(took)*99/100]), "p99-µs")
	b.ReportMetric(count/b.Elapsed().Seconds(), "calls/s")
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// ownMicros returns this process's CPU time.
func ownMicros() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e3
}
