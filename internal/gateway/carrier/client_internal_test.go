package carrier

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"smsd/internal/gateway"
)

// What a proxy dials nobody here can judge.
func TestNoProxyWhereNetworksAreJudged(t *testing.T) {
	t.Parallel()
	if newTransport(Options{}).Proxy == nil {
		t.Error("a carrier's API is not reached through the proxy of the environment")
	}
	for _, n := range []Networks{PublicOnly, PrivateToo, PrivateOnly} {
		if newTransport(Options{Networks: n}).Proxy != nil {
			t.Errorf("networks %d: a proxy would go round them", n)
		}
	}
}

// A second connection means that nothing was written on the first.
func TestWatch(t *testing.T) {
	t.Parallel()
	var left atomic.Bool
	w := watch(&left)
	for i, step := range []struct {
		do   func()
		left bool
	}{
		{func() { w.GetConn("") }, false},
		{func() { w.GotConn(httptrace.GotConnInfo{}) }, true},
		{func() { w.GetConn("") }, false},
	} {
		if step.do(); left.Load() != step.left {
			t.Errorf("step %d: left is %v", i, left.Load())
		}
	}
}

// Every error that a call can end with is told in words of our own.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for want, inner := range map[string]error{
		"there is no such host":                                &net.DNSError{Err: "no such host", Name: "T0KEN.example", IsNotFound: true},
		"the name server is out of reach":                      &net.DNSError{Err: "T0KEN", Name: "T0KEN.example", Server: "192.0.2.1", IsTimeout: true},
		"the host's name could not be resolved":                &net.DNSError{Err: "T0KEN", Name: "T0KEN.example"},
		"connection reset by peer":                             &net.OpError{Op: "read", Err: &os.SyscallError{Syscall: "read", Err: syscall.ECONNRESET}},
		"out of time":                                          &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded},
		"TLS: the certificate is for another host":             &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "T0KEN.example"}},
		"TLS: the certificate has expired or is not valid yet": &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired, Detail: "T0KEN"}},
		"TLS: the certificate is not valid":                    &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.IncompatibleUsage, Detail: "T0KEN"}},
		"TLS: the other side refused (tls: bad certificate)":   &net.OpError{Op: "remote error", Err: tls.AlertError(42)},
		"the address is in a network that must not be reached": &net.OpError{Op: "dial", Err: errForbidden},
		"failed": errors.New("T0KEN"),
	} {
		err := fmt.Errorf("T0KEN: %w", &url.Error{Op: "Post", URL: "https://T0KEN.example", Err: inner})
		for _, got := range []error{notSent(err), ambiguous(err)} {
			if !strings.HasSuffix(got.Error(), ": "+want) {
				t.Errorf("%v, want %s", got, want)
			}
		}
	}
}

// A proxy that refuses, or is not there, has let nothing through, and its password is told to nobody.
func TestProxy(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "T0KEN", http.StatusForbidden) }))
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword("smsd", "T0KEN")
	for _, want := range []string{"the proxy refuses to connect", "connection refused"} {
		transport := newTransport(Options{})
		transport.Proxy = http.ProxyURL(at)
		_, err := (&Client{&http.Client{Transport: transport}}).Do(t.Context(), Request{URL: "https://sms.example.com/T0KEN"})
		e, ok := err.(*gateway.Error)
		if !ok || e.Reason != gateway.Temporary || e.Sent != gateway.NotSent || !strings.HasSuffix(e.Error(), "no connection: "+want) {
			t.Errorf("%v, want %s", err, want)
		}
		proxy.Close() // for the second
	}
}
