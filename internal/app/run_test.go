package app

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
)

func mockFilter(id string) mock.Filter { return mock.Filter{SMSID: id} }

func TestTwoInstancesSideBySide(t *testing.T) {
	t.Parallel()
	one, _ := startApp(t, devConfig(t))
	two, _ := startApp(t, devConfig(t))
	if one.PublicURL() == two.PublicURL() || one.AdminURL() == two.AdminURL() {
		t.Fatal("they listen in one place")
	}
	for _, a := range []*App{one, two} {
		sent := sendTo(a, "+8613800138000")
		if sent.status != http.StatusOK {
			t.Fatalf("send: %+v", sent)
		}
		if v := verify(a, sent.text("sms_id"), codeOf(t, a, sent.text("sms_id"))); v.status != http.StatusOK {
			t.Errorf("verify: %+v", v)
		}
	}
}

// slowSend starts a send that its gateway holds for delay, and returns when the gateway has it.
func slowSend(t *testing.T, a *App, delay time.Duration) <-chan answer {
	t.Helper()
	const number = "+8613800138000"
	n, err := phone.Parse(number, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.http.Mock.SetFault(mock.Fault{Kind: "slow", Phone: n, Times: 1, Delay: delay}); err != nil {
		t.Fatal(err)
	}
	answered := make(chan answer, 1)
	go func() { answered <- sendTo(a, number) }()
	until(t, "the gateway has the message", func() bool { return len(a.http.Mock.Faults()) == 0 })
	return answered
}

func TestADrainAnswersWhatHasArrived(t *testing.T) {
	t.Parallel()
	a, _ := newApp(t, devConfig(t))
	signals := make(chan os.Signal, 1)
	ended := runApp(t, a, signals)
	answered := slowSend(t, a, 2*time.Second)

	signals <- syscall.SIGTERM
	until(t, "not ready", func() bool { return call("GET", a.AdminURL()+"/readyz", nil).status == http.StatusServiceUnavailable })
	until(t, "no new connection", func() bool { return call("GET", a.PublicURL()+"/livez", nil).err != nil })
	if got := <-answered; got.status != http.StatusOK || got.text("delivery") != "accepted" {
		t.Errorf("what was under way: %+v", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("the drain ended with %v", err)
	}
	if again := call("GET", a.AdminURL()+"/livez", nil); again.err == nil {
		t.Error("the operators' API still answers")
	}
}

// Until load balancers have heard of the drain they send more, and it is answered.
func TestADrainIsToldBeforeTheDoorIsShut(t *testing.T) {
	t.Parallel()
	a, log := newApp(t, devConfig(t))
	a.farewell = time.Hour
	signals := make(chan os.Signal, 1)
	ended := runApp(t, a, signals)
	signals <- syscall.SIGTERM
	until(t, "not ready", func() bool { return call("GET", a.PublicURL()+"/readyz", nil).status == http.StatusServiceUnavailable })
	if got := sendTo(a, "+8613800138000"); got.status != http.StatusOK {
		t.Errorf("a send while the drain is told: %+v", got)
	}
	if !strings.Contains(log.String(), "at_most=1h0m12s") {
		t.Error("the log does not tell how long all of it may take")
	}
	signals <- syscall.SIGTERM
	if err := <-ended; err != nil && !errors.Is(err, errForced) { // nothing was under way that could be cut
		t.Errorf("ended with %v", err)
	}
}

func TestASecondSignalForces(t *testing.T) {
	t.Parallel()
	a, _ := newApp(t, devConfig(t))
	signals := make(chan os.Signal, 1)
	ended := runApp(t, a, signals)
	answered := slowSend(t, a, 4*time.Second)

	signals <- syscall.SIGINT
	until(t, "draining", a.health.draining.Load)
	signals <- syscall.SIGHUP // is no second one
	signals <- syscall.SIGINT
	if err := <-ended; !errors.Is(err, errForced) || strings.Count(err.Error(), "second signal") != 1 {
		t.Errorf("ended with %v", err)
	}
	if got := <-answered; got.err == nil {
		t.Errorf("the request under way was answered: %+v", got)
	}
}

func TestTheEndOfTheContextDrainsToo(t *testing.T) {
	t.Parallel()
	a, _ := newApp(t, devConfig(t))
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
	a, _ := newApp(t, devConfig(t))
	ended := runApp(t, a, nil)
	if err := a.admin.socket.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "admin.listen") {
		t.Errorf("ended with %v", err)
	}
}

func TestAnInstanceThatWasNeverStartedIsStopped(t *testing.T) {
	t.Parallel()
	cfg := devConfig(t)
	a, _ := newApp(t, cfg)
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Errorf("the second time: %v", err)
	}
	b, _ := startApp(t, cfg)
	if err := b.Stop(t.Context()); err != nil {
		t.Errorf("the lock was not given back: %v", err)
	}
}

// runApp runs a and returns when it listens.
func runApp(t *testing.T, a *App, signals <-chan os.Signal) <-chan error {
	t.Helper()
	ended := make(chan error, 1)
	started := make(chan struct{})
	a.started = func() { close(started) }
	go func() { ended <- a.Run(context.Background(), signals) }()
	select {
	case <-started:
	case err := <-ended:
		t.Fatal(err)
	}
	return ended
}
