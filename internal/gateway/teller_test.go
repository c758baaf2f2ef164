package gateway_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/gateway"
)

// told is a router with a breaker before its one gateway, and the log.
func told(t *testing.T, d gateway.Driver) (*gateway.Router, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	r, err := gateway.NewRouter(gateway.RouterOptions{
		Gateways: []gateway.Gateway{{Name: "g1", Driver: d, Breaker: true}}, IntN: func(int) int { return 0 }, Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, log
}

// Whoever looks at the log at night reads once that a gateway fails, what its carrier said and what to do, and once that it is well.
func TestTheLogTellsOfAGatewayThatFails(t *testing.T) {
	t.Parallel()
	for class, says := range map[string]*gateway.Error{
		"configuration": {Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("the carrier says NO_BALANCE")},
		"outage":        {Reason: gateway.Temporary, Sent: gateway.NotSent, Err: errors.New("the carrier says NO_BALANCE")},
	} {
		synctest.Test(t, func(t *testing.T) {
			only := newCarrier()
			r, log := told(t, only)
			only.says = func(string) error { return says }
			for i := range 100 {
				_, _ = r.Send(t.Context(), to(another(i)))
				time.Sleep(100 * time.Millisecond)
			}
			text := log.String()
			for _, want := range []string{"level=WARN", "gateway=g1", "class=" + class, "the carrier says NO_BALANCE", "smsd gateway check g1"} {
				if strings.Count(text, "\n") != 1 || !strings.Contains(text, want) {
					t.Errorf("%s: want one line with %s: %s", class, want, text)
				}
			}
			log.Reset()
			only.fails("")
			time.Sleep(time.Minute)
			for i := range 10 {
				_, _ = r.Send(t.Context(), to(another(i)))
			}
			if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "is well again") || !strings.Contains(text, "class="+class) {
				t.Errorf("%s: %s", class, text)
			}
		})
	}
}

// A country that never worked raises no alarm in the log either, and a gateway that comes and goes does not flood it.
func TestTheLogIsNotFlooded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		r, log := told(t, only)
		_, _ = r.Send(t.Context(), to(china))
		only.fails(gateway.Configuration)
		for range 10 {
			_, _ = r.Send(t.Context(), to(britain))
		}
		if log.Len() != 0 {
			t.Errorf("anybody can raise an alarm: %s", log)
		}
		time.Sleep(time.Minute)
		for i := range 300 { // it comes and goes each second
			only.fails(gateway.Temporary)
			for j := range 5 {
				_, _ = r.Send(t.Context(), to(another(10*i+j)))
			}
			time.Sleep(time.Second)
			only.fails("")
			_, _ = r.Send(t.Context(), to(china))
		}
		if lines := strings.Count(log.String(), "\n"); lines < 10 || lines > 45 {
			t.Errorf("%d lines in five minutes", lines)
		}
	})
}
