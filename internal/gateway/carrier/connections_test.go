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

// Calls that follow each other share one connection, which speaks HTTP/1.1 though the server offers HTTP/2, and which ends
// by itself when there are no more.
func TestConnections(t *testing.T) {
	t.Parallel()
	made, ended := make(chan struct{}, 10), make(chan struct{}, 10)
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
	for range 3 {
		if answer, err := client.Do(t.Context(), request(server.URL)); err != nil || string(answer.Body) != "HTTP/1.1" {
			t.Fatalf("%v, over %s", err, answer.Body)
		}
	}
	if n := len(made); n != 1 {
		t.Errorf("%d connections for three calls", n)
	}
	select {
	case <-ended:
	case <-time.After(bounds):
		t.Error("a connection without a call goes on")
	}
}
