package bench

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// due is a request and when it is to begin.
type due struct {
	request
	at time.Time
}

// offer begins rate requests a second, whether or not those before them are answered, and adds to seen how long each
// took from when it was to begin. So an answer that is late makes those behind it late too, and is not left out
// because its caller asked for nothing meanwhile.
func (l *load) offer(requests []request, rate float64, seen *histogram) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 1)) // one more, for who sleeps
	queue := make(chan due, len(requests))                             // all of them: who hands them out never waits
	var (
		callers sync.WaitGroup
		once    sync.Once
		failure error
	)
	for _, w := range l.wires {
		callers.Go(func() {
			for d := range queue {
				if err := w.do(d.request); err != nil {
					once.Do(func() { failure = err })
					return
				}
				seen.add(time.Since(d.at))
			}
		})
	}
	began := time.Now()
	for i, r := range requests {
		at := began.Add(time.Duration(float64(i) / rate * float64(time.Second)))
		for wait := time.Until(at); wait > 0; wait = time.Until(at) {
			sleep(wait)
		}
		queue <- due{r, at}
	}
	close(queue)
	callers.Wait()
	return failure
}

// A server that stands still once makes everything late that was to begin meanwhile: a load that waits for answers
// would have seen one late answer.
func TestOfferCountsFromTheSchedule(t *testing.T) {
	t.Parallel()
	const pause = 300 * time.Millisecond
	l, err := connect(stalling(t, 20, pause), 4)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	requests := make([]request, 100)
	for i := range requests {
		requests[i] = alive
	}
	var seen histogram
	if err := l.offer(requests, 200, &seen); err != nil {
		t.Fatal(err)
	}
	if late := seen.quantile(0.75); late < pause/3 {
		t.Errorf("a quarter of all requests fell into a pause of %s, and 75 %% took no longer than %s", pause, late)
	}
}

// stalling is a server that answers at once, but after so many answers pauses once, all connections together.
func stalling(t testing.TB, after int64, pause time.Duration) (address string) {
	var (
		answered atomic.Int64
		lock     sync.RWMutex
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if answered.Add(1) == after {
			lock.Lock()
			time.Sleep(pause) // a server that hangs; there is no clock to replace
			lock.Unlock()
		}
		lock.RLock()
		defer lock.RUnlock()
		w.Header().Set("Content-Length", "0")
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}
