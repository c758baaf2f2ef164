package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"smsd/internal/config"
)

func TestTwoInstancesSideBySide(t *testing.T) {
	t.Parallel()
	one, two := start(t, ""), start(t, "")
	if one.api == two.api || one.admin == two.admin {
		t.Fatal("they listen in one place")
	}
	for _, s := range []*service{one, two} {
		id, code := s.sent(alice)
		s.wants(s.verify(id, code), "200")
	}
}

// holding is an instance that is not started, whose gateway keeps each message until it is let go; sending starts a send, and
// returns when the gateway has it.
func holding(t *testing.T) (s *service, sending func() <-chan answer, letGo func()) {
	t.Helper()
	h, has, over := newHook(t), make(chan struct{}, 1), make(chan struct{})
	letGo = sync.OnceFunc(func() { close(over) })
	t.Cleanup(letGo) // before the gateway's server waits for it
	h.says(func(w http.ResponseWriter) { has <- struct{}{}; <-over; fmt.Fprint(w, `{"id": "SM1"}`) })
	s = assembled(t, "", byHook(t, h.URL), func(c *config.Config) { c.GatewayTimeout = 8 * time.Second }) // as long as may be
	return s, func() <-chan answer {
		answered := make(chan answer, 1)
		go func() { answered <- s.send(alice) }()
		select {
		case <-has:
		case a := <-answered:
			t.Fatalf("answered before the gateway has the message: %s", a)
		}
		return answered
	}, letGo
}

func TestADrainAnswersWhatHasArrived(t *testing.T) {
	t.Parallel()
	s, sending, letGo := holding(t)
	signals := make(chan os.Signal, 1)
	ended := s.run(t, signals)
	answered := sending()

	signals <- syscall.SIGTERM
	until(t, "not ready", func() bool {
		return s.do(http.MethodGet, s.admin+"/readyz", nil).status == http.StatusServiceUnavailable
	})
	until(t, "no new connection", func() bool { return s.get("/livez").err != nil })
	letGo()
	if got := <-answered; got.status != http.StatusOK || got.text("delivery") != "accepted" {
		t.Errorf("what was under way: %s", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("the drain ended with %v", err)
	}
	if again := s.do(http.MethodGet, s.admin+"/livez", nil); again.err == nil {
		t.Error("the operators' API still answers")
	}
}

// Until load balancers have heard of the drain they send more, and it is answered.
func TestADrainIsToldBeforeTheDoorIsShut(t *testing.T) {
	t.Parallel()
	s := assembled(t, "")
	s.app.farewell = time.Hour
	signals := make(chan os.Signal, 1)
	ended := s.run(t, signals)
	signals <- syscall.SIGTERM
	until(t, "not ready", func() bool { return s.get("/readyz").status == http.StatusServiceUnavailable })
	if got := s.send(alice); got.status != http.StatusOK {
		t.Errorf("a send while the drain is told: %s", got)
	}
	if !strings.Contains(s.log.String(), "at_most=1h0m12s") {
		t.Error("the log does not tell how long all of it may take")
	}
	signals <- syscall.SIGTERM
	if err := <-ended; err != nil && !errors.Is(err, errForced) { // nothing was under way that could be cut
		t.Errorf("ended with %v", err)
	}
}

func TestASecondSignalForces(t *testing.T) {
	t.Parallel()
	s, sending, letGo := holding(t)
	signals := make(chan os.Signal, 1)
	ended := s.run(t, signals)
	answered := sending()

	signals <- syscall.SIGINT
	until(t, "draining", s.app.health.draining.Load)
	signals <- syscall.SIGHUP // is no second one
	signals <- syscall.SIGINT
	if got := <-answered; got.err == nil {
		t.Errorf("the request under way was answered: %s", got)
	}
	letGo()
	if err := <-ended; !errors.Is(err, errForced) || strings.Count(err.Error(), "second signal") != 1 {
		t.Errorf("ended with %v", err)
	}
}

func TestTheEndOfTheContextDrainsToo(t *testing.T) {
	t.Parallel()
	a := assembled(t, "").app
	ctx, cancel := context.WithCancel(t.Context())
	a.started = cancel
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, nil) }()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A part that fails ends the instance with its error: nobody restarts what hangs half alive.
func TestAPartThatFailsEndsTheInstance(t *testing.T) {
	t.Parallel()
	s := assembled(t, "")
	ended := s.run(t, nil)
	if err := s.app.admin.socket.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "admin.listen") {
		t.Errorf("ended with %v", err)
	}
}

func TestAnInstanceThatWasNeverStartedIsStopped(t *testing.T) {
	t.Parallel()
	a := assembled(t, "")
	if err := a.app.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.app.Stop(t.Context()); err != nil {
		t.Errorf("the second time: %v", err)
	}
	b := start(t, "", func(c *config.Config) { c.DataDir = a.cfg.DataDir })
	if err := b.app.Stop(t.Context()); err != nil {
		t.Errorf("the lock was not given back: %v", err)
	}
}
