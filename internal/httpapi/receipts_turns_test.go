package httpapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/gateway"
)

// gated is a reader that finds nothing, and that nobody leaves before open is closed.
type gated struct {
	entered chan struct{}
	open    chan struct{}
	inside  atomic.Int64
	most    atomic.Int64
}

func (g *gated) Receipts(ctx context.Context, _ gateway.Post) ([]gateway.Receipt, error) {
	for now, most := g.inside.Add(1), g.most.Load(); now > most && !g.most.CompareAndSwap(most, now); most = g.most.Load() {
	}
	defer g.inside.Add(-1)
	g.entered <- struct{}{}
	select {
	case <-g.open:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// However many calls come at once, no more than maxReceiptCalls are read; whoever hangs up leaves the queue unread, and the
// others have their turn.
func TestReceiptCallsTakeTurns(t *testing.T) {
	t.Parallel()
	const calls = 2*maxReceiptCalls + 10
	began := time.Now()
	g := &gated{entered: make(chan struct{}, calls), open: make(chan struct{})}
	a, _, _, _ := newReceiving(t, func(s *setup) {
		s.http.Receipts = func(string) (gateway.ReceiptReader, bool) { return g, true }
	})
	post := func(r *http.Request, to chan<- *reply) { to <- a.do(a.public, r) }
	answered := make(chan *reply, calls)
	url := "http://127.0.0.1:8080/api/v1/gateways/hook/receipts"
	for range maxReceiptCalls {
		go post(request("POST", url, "{}"), answered)
	}
	for range maxReceiptCalls {
		within(t, g.entered)
	}
	for range calls - maxReceiptCalls {
		go post(request("POST", url, "{}"), answered)
	}
	gone, hangUp := context.WithCancel(context.Background())
	left := make(chan *reply, 1)
	go post(request("POST", url, "{}").WithContext(gone), left)
	hangUp()
	if r := within(t, left); r.status == http.StatusOK {
		t.Errorf("the call that hung up: %d %s", r.status, r.body)
	}
	close(g.open)
	for range calls {
		if r := within(t, answered); r.status != http.StatusOK && time.Since(began) < receiptTimeout { // or the machine is busy
			t.Fatalf("%d %s", r.status, r.body)
		}
	}
	if most := g.most.Load(); most != maxReceiptCalls {
		t.Errorf("%d calls were read at once, want %d", most, maxReceiptCalls)
	}
}

// unended is a body that comes to its end when open is closed.
type unended struct {
	reading *atomic.Int64
	begun   chan struct{}
	open    chan struct{}
	once    sync.Once
}

func (h *unended) Read([]byte) (int, error) {
	h.once.Do(func() {
		h.reading.Add(1)
		h.begun <- struct{}{}
	})
	<-h.open
	return 0, io.EOF
}

// People without a signature send all but the end of bodies as long as may be, and half of them do not say how long they are: a few are
// held in memory and no more. Calls with short bodies are answered meanwhile.
func TestHeldReceiptBodiesAreFew(t *testing.T) {
	t.Parallel()
	a, _, _, _ := newReceiving(t)
	const url, calls = "http://127.0.0.1:8080/api/v1/gateways/hook/receipts", 2 * maxLongCalls
	var reading atomic.Int64
	begun, open := make(chan struct{}, calls), make(chan struct{})
	answered := make(chan *reply, calls)
	for i := range calls {
		r := request("POST", url, "")
		r.ContentLength, r.Body = []int64{maxReceiptBody, -1}[i%2], longBody(&unended{reading: &reading, begun: begun, open: open})
		r.RemoteAddr = fmt.Sprintf("203.0.113.%d:40000", i%16) // eight each: nobody waits for a place of its own
		go func() { answered <- a.do(a.public, r) }()
	}
	for range maxLongCalls {
		within(t, begun)
	}
	for _, said := range []bool{true, false} { // how long it is
		short := request("POST", url, `{"type":"sms.receipt","data":[]}`)
		if !said {
			short.ContentLength = -1
		}
		if r := a.do(a.public, short); r.status != http.StatusUnauthorized {
			t.Errorf("a short forged call, length said %t: %d %s", said, r.status, r.body)
		}
	}
	if n := reading.Load(); n != maxLongCalls {
		t.Errorf("%d long bodies are held, want %d", n, maxLongCalls)
	}
	close(open)
	for range calls { // those that waited too long on a busy machine are to come again
		if r := within(t, answered); r.status == http.StatusOK || r.status == http.StatusInternalServerError {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
	for range maxLongCalls { // no place is kept
		r := request("POST", url, "")
		r.ContentLength, r.Body = -1, io.NopCloser(strings.NewReader("{}"))
		if got := a.do(a.public, r); got.status != http.StatusUnauthorized {
			t.Fatalf("afterwards: %d %s", got.status, got.body)
		}
	}
}

// within is the next that comes, in a time that is enough on any machine; receiptTimeout must not end before.
func within[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case one := <-from:
		return one
	case <-time.After(time.Minute):
		t.Fatal("nothing comes")
		panic("unreachable")
	}
}
