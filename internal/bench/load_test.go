package bench

import (
	"sync"
	"sync/atomic"
	"time"
)

// connections is how many callers there are unless something else is said, each with a connection that it keeps and
// one request at a time.
const connections = 64

// load is callers that are connected.
type load struct{ wires []*wire }

// alive is what every server answers with 200.
var alive = request{[]byte("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), 200}

// connect opens a connection for each caller, and has each answer once, so that none is dialled on the clock.
func connect(address string, callers int) (*load, error) {
	l := &load{}
	for range callers {
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

// run makes every request once, each caller taking the next, and returns how long all of them took; how long each
// took is added to seen (nil: to nothing). The first failure stops it.
func (l *load) run(requests []request, seen *histogram) (time.Duration, error) {
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
				asked := time.Now()
				if err := w.do(requests[i]); err != nil {
					once.Do(func() { failure = err })
					next.Store(int64(len(requests)))
					return
				}
				if seen != nil {
					seen.add(time.Since(asked))
				}
			}
		})
	}
	callers.Wait()
	return time.Since(began), failure
}

// all connects, runs and closes, for requests that are not measured.
func all(address string, requests []request) error {
	l, err := connect(address, connections)
	if err != nil {
		return err
	}
	defer l.close()
	_, err = l.run(requests, nil)
	return err
}
