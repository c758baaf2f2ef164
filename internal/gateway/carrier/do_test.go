package carrier_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/gatewaytest"
)

// What no error may print: each stands in the URL, the header or the body of every request of these tests.
const (
	path   = "/hooks/T0KEN"
	query  = "?to=8613800138000"
	key    = "Bearer s3cret"
	text   = "493817 is your login code"
	bounds = 10 * time.Second // nothing waits for it but a test that fails
)

func request(url string) carrier.Request {
	return carrier.Request{URL: url + path + query, Header: http.Header{"Authorization": {key}}, Body: []byte(text)}
}

// fails makes the call, and sees that it ends as reason and sent, with an error that says what and tells nothing.
func fails(t *testing.T, url string, o carrier.Options, reason gateway.Reason, sent gateway.Sent, what string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bounds)
	defer cancel()
	_, err := carrier.New(o).Do(ctx, request(url))
	is(t, err, reason, sent, what)
}

func is(t *testing.T, err error, reason gateway.Reason, sent gateway.Sent, what string) {
	t.Helper()
	e, ok := err.(*gateway.Error)
	if !ok || e == nil {
		t.Fatalf("Do returned a %T", err)
	}
	if e.Reason != reason || e.Sent != sent || !strings.Contains(e.Error(), what) {
		t.Errorf("%v; want %s, %s: %s", e, reason, sent, what)
	}
	for inner := error(e); inner != nil; inner = errors.Unwrap(inner) {
		for _, hidden := range []string{"T0KEN", "13800138000", "s3cret", "493817", "127.0.0.1", "localhost", "http:", "https:"} {
			if strings.Contains(fmt.Sprintf("%v %+v", inner, inner), hidden) {
				t.Errorf("an error of type %T prints %s", inner, hidden)
			}
		}
	}
}

// serve gives each connection to with, on loopback, and returns the address.
func serve(t *testing.T, with func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); with(c) }()
		}
	}()
	return l.Addr().String()
}

// Without a connection nothing has left.
func TestNotSent(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	for name, c := range map[string]struct {
		url, what string
		networks  carrier.Networks
		reason    gateway.Reason
	}{
		"nobody listens":      {gatewaytest.Nobody(t), "connection refused", carrier.AnyNetwork, gateway.Temporary},
		"not TLS":             {strings.Replace(plain.URL, "http:", "https:", 1), "TLS: the other side does not speak it", carrier.AnyNetwork, gateway.Temporary},
		"unknown certificate": {secure.URL, "TLS: the certificate is by an unknown authority", carrier.AnyNetwork, gateway.Temporary},
		"hangs up in the handshake": {"https://" + serve(t, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)) }),
			"no connection", carrier.AnyNetwork, gateway.Temporary},
		"forbidden address":       {plain.URL, "must not be reached", carrier.PublicOnly, gateway.Configuration},
		"name of such an address": {strings.Replace(plain.URL, "127.0.0.1", "localhost", 1), "must not be reached", carrier.PublicOnly, gateway.Configuration},
		"no URL":                  {"T0KEN s3cret", "the URL or the method is none", carrier.AnyNetwork, gateway.Configuration},
		"half a URL":              {"http://%zz", "the URL or the method is none", carrier.AnyNetwork, gateway.Configuration},
		"a URL of another kind":   {"file://T0KEN", "no connection", carrier.AnyNetwork, gateway.Temporary},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fails(t, c.url, carrier.Options{Networks: c.networks}, c.reason, gateway.NotSent, c.what)
		})
	}
}

// A context that ends while the connection is made has sent nothing; one that ended before does not start.
func TestContextEndsBeforeTheRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	silent := serve(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 1)) // the handshake has begun
		cancel()
		_, _ = io.Copy(io.Discard, c)
	})
	for range 2 {
		_, err := carrier.New(carrier.Options{}).Do(ctx, request("https://"+silent))
		is(t, err, gateway.Temporary, gateway.NotSent, "no connection: the call was cancelled")
	}
}

// answers is a server that says one thing to whatever comes, as it stands, and hangs up.
func answers(t *testing.T, raw string) string {
	return "http://" + serve(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 64<<10))
		_, _ = io.WriteString(c, raw)
	})
}

// Once the request may be on its way, only a whole answer tells.
func TestAmbiguous(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ raw, what string }{
		"hangs up":             {"", "the other side hung up"},
		"half a status line":   {"HTTP/1.1 20", "no whole answer"},
		"half a header":        {"HTTP/1.1 200 OK\r\nContent-Le", "no whole answer"},
		"half a body":          {"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"code\"", "the other side hung up"},
		"half a chunk":         {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"code\"", "the other side hung up"},
		"not HTTP":             {"SSH-2.0-OpenSSH_9.9 T0KEN 8613800138000\r\n\r\n", "no whole answer"},
		"a header without end": {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("T0KEN", 64<<10), "no whole answer"},
		"too much":             {"HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n" + strings.Repeat("x", 65537), "more than 64 KiB, status 200"},
		"see other":            {"HTTP/1.1 303 See Other\r\nLocation: /T0KEN\r\nContent-Length: 0\r\n\r\n", "a redirect, which is not followed, status 303"},
		"found, and nowhere":   {"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "status 302"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fails(t, answers(t, c.raw), carrier.Options{}, gateway.Ambiguous, gateway.MaybeSent, c.what)
		})
	}
}

func TestContextEndsAfterTheRequest(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{"no answer": "", "half an answer": "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			url := "http://" + serve(t, func(c net.Conn) {
				_, _ = c.Read(make([]byte, 64<<10))
				_, _ = io.WriteString(c, raw)
				cancel()
				_, _ = io.Copy(io.Discard, c)
			})
			_, err := carrier.New(carrier.Options{}).Do(ctx, request(url))
			is(t, err, gateway.Ambiguous, gateway.MaybeSent, "no whole answer: the call was cancelled")
		})
	}
}

// What follows a 101 is read by nobody: net/http lets it go on when the context has ended.
func TestAnotherProtocol(t *testing.T) {
	t.Parallel()
	url := "http://" + serve(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 64<<10))
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: T0KEN\r\n\r\n")
		_ = c.SetDeadline(time.Now().Add(bounds)) // so that who reads on comes to an end
		_, _ = io.Copy(io.Discard, c)
	})
	fails(t, url, carrier.Options{}, gateway.Ambiguous, gateway.MaybeSent, "another protocol, status 101")
}

// A redirect would hand the message to whoever the answer names.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(elsewhere.Close)
	for status, want := range map[int]*gateway.Error{
		301: {Reason: gateway.Ambiguous}, 302: {Reason: gateway.Ambiguous}, 303: {Reason: gateway.Ambiguous},
		307: {Reason: gateway.Configuration, Sent: gateway.NotSent}, 308: {Reason: gateway.Configuration, Sent: gateway.NotSent},
	} {
		from := httptest.NewServer(http.RedirectHandler(elsewhere.URL+path, status))
		fails(t, from.URL, carrier.Options{}, want.Reason, want.Sent, fmt.Sprint(status))
		from.Close()
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// The transport repeats what it takes for harmless (a GET, an Idempotency-Key) if a connection that was kept breaks before
// the answer: that would be a second message (golang/go#19943).
func TestNothingIsRepeated(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]carrier.Request{
		"POST":              {},
		"GET":               {Method: http.MethodGet},
		"Idempotency-Key":   {Header: http.Header{"Idempotency-Key": {"1"}}},
		"X-Idempotency-Key": {Header: http.Header{"X-Idempotency-Key": {"1"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reached atomic.Int64
			r.URL = "http://" + serve(t, func(c net.Conn) {
				in := bufio.NewReader(c)
				for n := 0; n < 2; n++ { // the second on this connection gets no answer
					if !wholeRequest(in) {
						return
					}
					if reached.Add(1) == 1 {
						_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
					}
				}
			})
			client := carrier.New(carrier.Options{})
			if _, err := client.Do(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			_, err := client.Do(t.Context(), r)
			is(t, err, gateway.Ambiguous, gateway.MaybeSent, "no whole answer")
			if n := reached.Load(); n != 2 {
				t.Errorf("two calls arrived %d times", n)
			}
		})
	}
}

// wholeRequest reads a request to its end, in however many pieces it comes, and reports whether there was one.
func wholeRequest(in *bufio.Reader) bool {
	r, err := http.ReadRequest(in)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, r.Body)
	return err == nil
}

// What is asked arrives as it is, and no cookie is kept; what is answered comes back whole, whatever the status.
func TestAnswers(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked.Store(fmt.Sprintf("%s %s %s %s %s %q %s", r.Method, r.URL, r.Header.Get("Authorization"), r.UserAgent(), r.Header.Get("Cookie"),
			body, r.Header.Get("Accept-Encoding")))
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
		w.WriteHeader(503)
		fmt.Fprint(w, strings.Repeat("x", carrier.MaxAnswer))
	}))
	t.Cleanup(server.Close)
	client := carrier.New(carrier.Options{})
	for range 2 {
		r := request(server.URL)
		answer, err := client.Do(t.Context(), r)
		if err != nil || answer.Status != 503 || answer.OK() || len(answer.Body) != carrier.MaxAnswer || answer.Header.Get("Set-Cookie") == "" {
			t.Errorf("%v: status %d, %d bytes, header %v", err, answer.Status, len(answer.Body), answer.Header)
		}
		if want := fmt.Sprintf("POST %s %s smsd  %q ", path+query, key, text); asked.Load() != want {
			t.Errorf("asked %s\nwant  %s", asked.Load(), want)
		}
		if len(r.Header) != 1 {
			t.Errorf("the caller's header became %v", r.Header)
		}
	}
}
