package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"strconv"
	"time"
)

// request is one request as its bytes, made before the clock starts, and the status that it must be answered with.
type request struct {
	wire   []byte
	status int
}

// post returns a POST of body with an API key, or "", from client as a trusted proxy names it.
func post(path, key, client, body string, status int) request {
	const form = "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%sX-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n%s"
	authorization := ""
	if key != "" {
		authorization = "Authorization: Bearer " + key + "\r\n"
	}
	return request{fmt.Appendf(nil, form, path, authorization, client, len(body), body), status}
}

// wire is a kept connection. It speaks just enough HTTP to cost little beside a server: net/http's client
// takes more CPU time than the floor's whole server.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
}

// patience bounds all that is done with one connection.
const patience = time.Minute

func dial(address string) (*wire, error) {
	conn, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return nil, err
	}
	return &wire{conn, bufio.NewReader(conn)}, conn.SetDeadline(time.Now().Add(patience))
}

// do sends r and reads the answer.
func (w *wire) do(r request) error {
	if _, err := w.conn.Write(r.wire); err != nil {
		return err
	}
	status, err := w.read()
	if err == nil && status != r.status {
		err = fmt.Errorf("answered %d, not %d: %.40s", status, r.status, r.wire)
	}
	return err
}

// read reads one answer: its status, its length among the headers, and as much body.
func (w *wire) read() (status int, err error) {
	line, err := w.in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, fmt.Errorf("not a status line: %q", line)
	}
	status, err = strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, err
	}
	length, err := w.length()
	if err != nil {
		return 0, err
	}
	_, err = w.in.Discard(length)
	return status, err
}

// length reads the headers, and returns Content-Length.
func (w *wire) length() (n int, err error) {
	n = -1
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 && n < 0 {
			return 0, fmt.Errorf("an answer without Content-Length")
		}
		if len(line) == 0 {
			return n, nil
		}
		if text, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			if n, err = strconv.Atoi(string(text)); err != nil {
				return 0, err
			}
		}
	}
}
