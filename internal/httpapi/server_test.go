package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// listen serves h as the program does, on a free port, and returns the server and its address.
func listen(t *testing.T, a *api, h http.Handler) (*http.Server, string) {
	t.Helper()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer(h, slog.New(slog.NewJSONHandler(a.log, nil)))
	done := make(chan error, 1)
	go func() { done <- server.Serve(socket) }()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return server, socket.Addr().String()
}

func TestServerHasEveryTimeout(t *testing.T) {
	t.Parallel()
	s := NewServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.WriteTimeout <= 9*time.Second || s.IdleTimeout <= 0 ||
		s.MaxHeaderBytes <= 0 || s.ErrorLog == nil {
		t.Errorf("server %+v", s)
	}
}

// Over a real connection: a send, an answer that is cut off from nothing, and OPTIONS *.
func TestOverTCP(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	_, address := listen(t, a, a.public)
	client := &http.Client{}
	defer client.CloseIdleConnections()
	response, err := client.Post("http://"+address+"/api/v1/sms/send", "application/json", strings.NewReader(`{"phone":"+8613800138000","scene":"login"}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != 200 || response.ContentLength != int64(len(body)) {
		t.Errorf("send: %d, %d bytes of %d: %s", response.StatusCode, len(body), response.ContentLength, body)
	}
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	_, _ = fmt.Fprintf(connection, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	answer, _ := io.ReadAll(connection)
	if !bytes.Contains(answer, []byte("X-Request-Id")) {
		t.Errorf("OPTIONS *: %s", answer)
	}
}

// A body of unknown length stops at its bound, and the connection is closed: nobody reads the rest.
func TestChunkedBodyIsBounded(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	_, address := listen(t, a, a.public)
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	_, _ = fmt.Fprintf(connection, "POST /api/v1/sms/send HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
	go func() { // for as long as somebody reads
		for chunk := strings.Repeat(" ", 1<<10); ; {
			if _, err := fmt.Fprintf(connection, "400\r\n%s\r\n", chunk); err != nil {
				return
			}
		}
	}()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusRequestEntityTooLarge || !response.Close {
		t.Errorf("%d, closed %t", response.StatusCode, response.Close)
	}
}

// A long poll ends when its server is shut down, so that a drain need not wait for it.
func TestShutdownEndsLongPolls(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	server, address := listen(t, a, a.admin)
	got := make(chan int, 1)
	go func() {
		response, err := http.Get("http://" + address + "/mock/messages/wait?timeout=60s")
		if err != nil {
			got <- 0
			return
		}
		_ = response.Body.Close()
		got <- response.StatusCode
	}()
	for waiting := a.admin.(*drainable).admin.waiting; len(waiting) == 0; {
		runtime.Gosched()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if status := <-got; status != http.StatusNoContent {
		t.Errorf("the long poll got %d, want 204", status)
	}
}

// Waiters are bounded, and a bound that is reached is no failure of the rest.
func TestLongPollsAreBounded(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	ctx, cancel := context.WithCancel(t.Context())
	answers := make(chan *reply)
	for range maxWaiting + 1 {
		go func() {
			r := request("GET", "http://127.0.0.1:8081/mock/messages/wait?timeout=60s", "").WithContext(ctx)
			answers <- a.do(a.admin, r)
		}()
	}
	a.want(<-answers, 503, "unavailable") // the one too many; the others wait
	a.want(a.operate("GET", "/mock/messages", ""), 200, "")
	cancel()
	for range maxWaiting {
		a.want(<-answers, 204, "")
	}
}

// What net/http has to say is masked.
func TestServerLogIsMasked(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	l := maskedLog{slog.New(slog.NewTextHandler(&log, nil))}
	for line, want := range map[string]string{
		"http: TLS handshake error from 203.0.113.9:5000: EOF":               "http: TLS handshake error from 203.0.113.x: EOF",
		"http: panic serving [2001:db8:1::9]:5000: boom":                     "http: panic serving 2001:db8:1::x: boom",
		"read tcp 10.0.0.1:80->203.0.113.9:5000: i/o timeout":                "read tcp 10.0.0.x->203.0.113.x: i/o timeout",
		"http: superfluous response.WriteHeader call from x.go:10 and 12:30": "http: superfluous response.WriteHeader call from x.go:10 and 12:30",
	} {
		log.Reset()
		if _, err := l.Write([]byte(line + "\n")); err != nil || !strings.Contains(log.String(), want) {
			t.Errorf("%q became %s", line, log.String())
		}
	}
}
