package testserver

import (
	"bufio"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// seconds asks the server for its clock.
func seconds(t *testing.T, conn net.Conn) time.Time {
	t.Helper()
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := conn.Write([]byte("TIME\r\n")); err != nil {
		t.Fatal(err)
	}
	answer := bufio.NewReader(conn)
	var line string
	for range 3 { // the length of the list, the length of the text, the seconds
		line, _ = answer.ReadString('\n')
	}
	n, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(n, 0)
}

func TestWallClockSteps(t *testing.T) {
	t.Parallel()
	s, clock := RedisWithClock(t)
	conn := dial(t, s.Socket())
	ahead := time.Duration(0)
	for _, step := range []time.Duration{0, time.Hour, -2 * time.Hour, 90 * time.Minute} {
		clock.Step(step)
		ahead += step
		if off := time.Until(seconds(t, dial(t, s.Socket()))) - ahead; off.Abs() > 30*time.Second {
			t.Errorf("stepped to %s ahead, %s off", ahead, off)
		}
	}
	expect(t, conn, "PING", "+PONG") // the connection has lived through the steps
}
