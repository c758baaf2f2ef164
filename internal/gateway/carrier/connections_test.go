package carrier_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"smsd/internal/gateway/carrier"
)

// Calls that follow each other share a connection, which speaks HTTP/1.1 though the server offers HTTP/2, and which ends
// by itself when there are no more. A machine that stands still between two calls may have them share none, but not between all.
func TestConnections(t *testing.T) {
	t.Parallel()
	const calls = 20
	made, ended := make(chan struct{}, calls), make(chan struct{}, calls)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			made <- struct{}{}
		case http.StateClosed:
			ended <- struct{}{}
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	client := carrier.New(carrier.Options{TLS: &tls.Config{RootCAs: roots}})
	for range calls {
		if answer, err := client.Do(t.Context(), request(server.URL)); err != nil || string(answer.Body) != "HTTP/1.1" {
			t.Fatalf("%v, over %s", err, answer.Body)
		}
	}
	if n := len(made); n > calls/2 {
		t.Errorf("%d connections for %d calls", n, calls)
	}
	for range len(made) {
		select {
		case <-ended:
		case <-time.After(bounds):
			t.Fatal("a connection without a call goes on")
		}
	}
}
