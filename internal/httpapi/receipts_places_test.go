package httpapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"smsd/internal/address"
)

// One address that begins long bodies without a length, and ends none, takes a few places and leaves the others: such calls from
// elsewhere are answered meanwhile. Every other address of an IPv6 line is the same one.
func TestOneAddressHoldsFewReceiptBodies(t *testing.T) {
	t.Parallel()
	a, _, _, _ := newReceiving(t)
	const url, calls = "http://127.0.0.1:8080/api/v1/gateways/hook/receipts", maxLongCalls + 1
	var reading atomic.Int64
	begun, open := make(chan struct{}, calls), make(chan struct{})
	answered := make(chan *reply, calls)
	for i := range calls {
		r := request("POST", url, "")
		r.ContentLength, r.Body = -1, longBody(&unended{reading: &reading, begun: begun, open: open})
		r.RemoteAddr = fmt.Sprintf("[2001:db8::%x]:40000", i+1)
		go func() { answered <- a.do(a.public, r) }()
	}
	for range maxLongCallsOfOne {
		within(t, begun)
	}
	for range 2 * maxLongCalls {
		r := request("POST", url, "")
		r.ContentLength, r.Body = -1, longBody(strings.NewReader(`{"type":"sms.receipt","data":[]}`))
		if got := a.do(a.public, r); got.status != http.StatusUnauthorized {
			t.Fatalf("from elsewhere: %d %s", got.status, got.body)
		}
	}
	if n := reading.Load(); n != maxLongCallsOfOne {
		t.Errorf("one address holds %d bodies, want %d", n, maxLongCallsOfOne)
	}
	close(open)
	for range calls {
		within(t, answered)
	}
}

// longBody is one that is longer than those that need no place, and goes on with rest.
func longBody(rest io.Reader) io.ReadCloser {
	return io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat(" ", maxBody+1)), rest))
}

// Whether somebody had a place, gave up waiting for one of its own or for one of all, nothing is left of it.
func TestPlacesAreGivenBack(t *testing.T) {
	t.Parallel()
	p := newPlaces(2, 1)
	client := func(ip string) address.Addr {
		a, err := address.Parse(ip)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	for range 3 {
		var leave []func()
		for _, ip := range []string{"192.0.2.1", "192.0.2.2"} {
			l, err := p.take(t.Context(), client(ip))
			if err != nil {
				t.Fatal(err)
			}
			leave = append(leave, l)
		}
		for _, who := range []address.Addr{client("192.0.2.1"), client("192.0.2.3"), {}} {
			if _, err := p.take(gone, who); err == nil {
				t.Errorf("%v has one place more than there are", who)
			}
		}
		if len(p.of) != 2 {
			t.Errorf("two have places, and %d are remembered", len(p.of))
		}
		for _, f := range leave {
			f()
		}
		if len(p.of) != 0 || len(p.all) != 0 {
			t.Fatalf("nobody has a place: %v, %d", p.of, len(p.all))
		}
	}
	if leave, err := p.take(t.Context(), address.Addr{}); err != nil {
		t.Error(err)
	} else {
		leave()
	}
}
