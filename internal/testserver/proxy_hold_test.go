package testserver

import (
	"bufio"
	"strings"
	"testing"
	"time"
)

func TestHeldRequestsComeLate(t *testing.T) {
	t.Parallel()
	s := Redis(t)
	p := Proxy(t, s.Socket())
	stays, leaves := dial(t, p.socket), dial(t, p.socket)
	expect(t, leaves, "INCR a", ":1")
	p.Hold()
	silent(t, stays, "INCR a")
	silent(t, leaves, "INCR a")
	_ = leaves.Close()
	expect(t, dial(t, s.Socket()), "GET a", "$1")
	p.Pass()
	_ = stays.SetDeadline(time.Now().Add(30 * time.Second))
	if line, err := bufio.NewReader(stays).ReadString('\n'); err != nil || !strings.HasPrefix(line, ":") {
		t.Fatalf("what was held up is answered %q, %v", line, err)
	}
	conn := dial(t, s.Socket())
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		_ = conn.SetDeadline(limit)
		if got, err := ask(t, conn, "INCRBY a 0"); err != nil {
			t.Fatalf("what the other one sent before it left never came: %q, %v", got, err)
		} else if got == ":3" {
			break
		}
	}
}

func TestForsakenConnectionsAreSilent(t *testing.T) {
	t.Parallel()
	s := Redis(t)
	p := Proxy(t, s.Socket())
	conn := dial(t, p.socket)
	expect(t, conn, "INCR a", ":1")
	p.Forsake()
	silent(t, conn, "INCR a")
	expect(t, dial(t, p.socket), "INCR a", ":2")
	p.Pass()
	silent(t, conn, "INCR a")
}
