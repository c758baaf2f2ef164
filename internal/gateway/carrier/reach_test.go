package carrier_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/gatewaytest"
)

// Reach says what hinders a call, and asks nothing.
func TestReach(t *testing.T) {
	t.Parallel()
	asked := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it asked") })
	plain, secure := httptest.NewServer(asked), httptest.NewUnstartedServer(asked)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it notes the handshakes that fail
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	trusting := &tls.Config{RootCAs: roots}
	for name, c := range map[string]struct {
		url     string
		options carrier.Options
		want    string
	}{
		"plain":        {plain.URL + "/path?token=T0KEN", carrier.Options{Networks: carrier.PrivateOnly}, ""},
		"secure":       {secure.URL, carrier.Options{Networks: carrier.PrivateToo, TLS: trusting}, ""},
		"not allowed":  {secure.URL, carrier.Options{Networks: carrier.PublicOnly}, "no connection: the address is in a network that must not be reached"},
		"not trusted":  {secure.URL, carrier.Options{Networks: carrier.PrivateToo}, "no connection: TLS: the certificate is by an unknown authority"},
		"another host": {strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), carrier.Options{Networks: carrier.PrivateToo, TLS: trusting}, "no connection: TLS: the certificate is for another host"},
		"no TLS there": {strings.Replace(plain.URL, "http:", "https:", 1), carrier.Options{Networks: carrier.PrivateToo}, "no connection: TLS: the other side does not speak it"},
		"nobody there": {gatewaytest.Nobody(t), carrier.Options{Networks: carrier.PrivateOnly}, "no connection: connection refused"},
		"none":         {"https://", carrier.Options{}, "the URL is none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := carrier.New(c.options).Reach(t.Context(), c.url)
			if c.want == "" && err == nil {
				return
			}
			var failure *gateway.Error
			if !errors.As(err, &failure) || failure.Sent != gateway.NotSent || failure.Err.Error() != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// A host that takes a connection and says nothing holds nobody up.
func TestReachInTime(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = carrier.New(carrier.Options{Networks: carrier.PrivateToo}).Reach(ctx, "https://"+listener.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "out of time") {
		t.Errorf("%v", err)
	}
}
