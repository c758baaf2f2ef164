package redisstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// Whatever a key holds, a call answers, and nobody waits longer than two windows.
func FuzzPlantedValue(f *testing.F) {
	s := testserver.Redis(f)
	c, server, ctx := open(f, s.URL()), raw(f, s), context.Background()
	g := limited("p", 2, time.Hour)
	f.Add([]byte("6"))
	f.Add([]byte("\x01\x00\x00\x01" + strings.Repeat("\xff", 26)))
	f.Add([]byte("\x00\x00\x00\x01" + strings.Repeat("\x02", 26)))
	f.Add([]byte("\x02\x01\x01\x00" + strings.Repeat("\xff", 48)))
	f.Add([]byte("\x00\x00\x00\x02\x00\x00\x00\x02" + strings.Repeat("\x00", 44)))
	f.Add([]byte("\x03\x00\x00\x01\x01\x9f\x83\x34\x12\x34\x00\x00\x00\x07\x00\x07"))
	f.Fuzz(func(t *testing.T, planted []byte) {
		for _, value := range [][]byte{planted, shaped(planted)} {
			server.Set(ctx, c.keys.counter(g.Key), value, time.Hour)
			charge(t, c, g)
			server.Set(ctx, c.keys.code("a"), value, time.Hour)
			if _, err := c.Codes().Verify(ctx, "a", guess(1)); errors.Is(err, sms.ErrUnavailable) {
				t.Fatal(err)
			}
		}
	})
}

// charge takes, forces and refunds.
func charge(t *testing.T, c *Client, g throttle.Group) {
	t.Helper()
	for _, force := range []bool{false, true} {
		take := takeOf(g)
		take.Force = force
		taken, err := c.Counters().Take(context.Background(), take)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range taken.Verdicts {
			if v.Used < 0 || v.Wait < 0 || v.Wait > 2*time.Hour {
				t.Fatalf("%+v", taken.Verdicts)
			}
		}
		r := throttle.Refund{ID: take.ID, At: taken.At, Groups: take.Groups}
		if err := c.Counters().Refund(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// shaped makes of any bytes a value of the right version and length, with up to three entries and records in each
// part: the scripts look into nothing else.
func shaped(planted []byte) []byte {
	value, body := []byte{2}, 0
	for i, size := range []int{12, 12, 12, 26} {
		n := 0
		if i < len(planted) {
			n = int(planted[i]) % 4
		}
		value = binary.BigEndian.AppendUint16(value, uint16(n))
		body += n * size
	}
	rest := append(planted[min(4, len(planted)):len(planted):len(planted)], 0)
	return append(value, bytes.Repeat(rest, body/len(rest)+1)[:body]...)
}
