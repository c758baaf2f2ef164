package bench

import (
	"sync"
	"sync/atomic"
	"time"
)

// connections is how many callers there are, each with a connection that it keeps and one request at a time.
const connections = 64

// load is callers that are connected.
type load struct{ wires []*wire }

// connect opens the connections, and has each answer once, so that none is dialled on the clock.
func connect(address string) (*load, error) {
	l := &load{}
	alive := request{[]byte("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), 200}
	for range connections {
		w, err := dial(address)
		if err != nil {
			l.close()
			return nil, err
		}
		l.wires = append(l.wires, w)
		if err := w.do(alive); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

func (l *load) close() {
	for _, w := range l.wires {
		_ = w.conn.Close()
	}
}

// run makes every request once, each caller taking the next, and returns how long all of them took. The
// first failure stops it.
func (l *load) run(requests []request) (time.Duration, error) {
	var (
		next    atomic.Int64
		callers sync.WaitGroup
		once    sync.Once
		failure error
	)
	began := time.Now()
	for _, w := range l.wires {
		callers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(requests)); i = next.Add(1) - 1 {
				if err := w.do(requests[i]); err != nil {
					once.Do(func() { failure = err })
					next.Store(int64(len(requests)))
					return
				}
			}
		})
	}
	callers.Wait()
	return time.Since(began), failure
}

// all connects, runs and closes, for requests that are not measured.
func all(address string, requests []request) error {
	l, err := connect(address)
	if err != nil {
		return err
	}
	defer l.close()
	_, err = l.run(requests)
	return err
}
