package httpapi

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"
)

// However somebody goes about it, a connection that asks for nothing ends: without a word, with a header or a body that comes a byte at a
// time, and after an answer. The time-outs are a hundredth of the real ones.
func TestNobodyHoldsAConnectionForEver(t *testing.T) {
	t.Parallel()
	address := impatient(t)
	post := func(path, length string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\n" + length + "\r\n\r\n"
	}
	const chunked, known, receipts = "Transfer-Encoding: chunked", "Content-Length: 9999", "/api/v1/gateways/hook/receipts"
	const get = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n"
	for name, c := range map[string]struct{ first, then string }{
		"without a word":                   {"", ""},
		"amid a header":                    {"GET /li", ""},
		"with a slow header":               {get + "X: ", "x"},
		"with endless headers":             {get, "X: x\r\n"},
		"with blank lines":                 {"", "\r\n"},
		"with a slow body":                 {post("/api/v1/sms/send", known), " "},
		"with a slow body of no length":    {post("/api/v1/sms/send", chunked), "1\r\n \r\n"},
		"with slow receipts":               {post(receipts, "Content-Length: 200000"), " "},
		"with slow receipts of no length":  {post(receipts, chunked), "1\r\n \r\n"},
		"with a chunk that does not come":  {post(receipts, chunked) + "9\r\n", ""},
		"with a body that nobody asks for": {post("/nowhere", known), " "},
		"after an answer":                  {get + "\r\n", ""},
		"after an answer, amid the next":   {get + "\r\n" + get, ""},
		"after an answer, with blanks":     {get + "\r\n", "\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(conn, c.first)
			stopped := make(chan struct{})
			go func() {
				defer close(stopped)
				trickle(conn, c.then)
			}()
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute)) // enough on any machine
			if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("it goes on")
			}
			_ = conn.Close()
			<-stopped
		})
	}
}

// impatient serves an API with receipts, and waits for a hundredth of the time that the program waits for.
func impatient(t *testing.T) (address string) {
	t.Helper()
	a, _, _, _ := newReceiving(t)
	server := NewServer(a.public, nil)
	for _, d := range []*time.Duration{&server.ReadHeaderTimeout, &server.ReadTimeout, &server.WriteTimeout, &server.IdleTimeout} {
		*d /= 100
	}
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(socket) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return socket.Addr().String()
}

// trickle says a little, again and again, until nobody is there any more.
func trickle(conn net.Conn, little string) {
	if little == "" {
		return
	}
	for {
		if _, err := io.WriteString(conn, little); err != nil {
			return
		}
		time.Sleep(time.Millisecond) // so that it is slow
	}
}
