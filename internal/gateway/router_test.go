package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// scripted is a carrier that does what the function says, and counts how often it was asked.
type scripted struct {
	calls atomic.Int32
	send  func(context.Context, gateway.Message) (gateway.Accepted, error)
}

func (s *scripted) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	s.calls.Add(1)
	return s.send(ctx, m)
}

func answers(a gateway.Accepted, err error) *scripted {
	return &scripted{send: func(context.Context, gateway.Message) (gateway.Accepted, error) { return a, err }}
}

func accepts() *scripted { return answers(gateway.Accepted{ProviderID: "p1"}, nil) }

// hangs ignores its context, like a carrier's library that takes none, until release is closed.
func hangs(release <-chan struct{}) *scripted {
	return &scripted{send: func(context.Context, gateway.Message) (gateway.Accepted, error) {
		<-release
		return gateway.Accepted{}, nil
	}}
}

func message() gateway.Message {
	return gateway.Message{
		ID:    "m1",
		SMSID: "s1",
		Phone: phone.MustParse("+8613800138000"),
		Scene: "login",
		Text:  secret.New("493817 is your login code."),
		Code:  secret.New("493817"),
	}
}

func newRouter(t *testing.T, o gateway.RouterOptions, drivers ...gateway.Driver) *gateway.Router {
	t.Helper()
	for i, d := range drivers {
		o.Gateways = append(o.Gateways, gateway.Gateway{Name: fmt.Sprintf("g%d", i+1), Driver: d})
	}
	r, err := gateway.NewRouter(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func failure(t *testing.T, err error) *gateway.Error {
	t.Helper()
	e, ok := err.(*gateway.Error)
	if !ok || e == nil {
		t.Fatalf("got %T %v, want a *gateway.Error", err, err)
	}
	return e
}

func TestAcceptedNamesItsGateway(t *testing.T) {
	t.Parallel()
	first, second := accepts(), accepts()
	got, err := newRouter(t, gateway.RouterOptions{}, first, second).Send(t.Context(), gateway.Dispatch{Message: message()})
	if want := (gateway.Accepted{Gateway: "g1", ProviderID: "p1"}); err != nil || got != want {
		t.Fatalf("got %+v, %v, want %+v", got, err, want)
	}
	if second.calls.Load() != 0 {
		t.Fatal("an accepted message went to a second gateway")
	}
}

func TestProviderIDIsBounded(t *testing.T) {
	t.Parallel()
	for length, want := range map[int]int{256: 256, 257: 0} {
		d := answers(gateway.Accepted{ProviderID: strings.Repeat("x", length)}, nil)
		got, err := newRouter(t, gateway.RouterOptions{}, d).Send(t.Context(), gateway.Dispatch{Message: message()})
		if err != nil || len(got.ProviderID) != want {
			t.Errorf("%d bytes: got %d, %v", length, len(got.ProviderID), err)
		}
	}
}

// Every reason with either answer: the second gateway is tried in three rows only.
func TestFailoverMatrix(t *testing.T) {
	t.Parallel()
	goesOn := map[gateway.Reason]bool{gateway.NoRoute: true, gateway.Temporary: true, gateway.Configuration: true}
	for _, reason := range gateway.Reasons() {
		for _, sent := range []gateway.Sent{gateway.MaybeSent, gateway.NotSent} {
			t.Run(fmt.Sprintf("%s, %s", reason, sent), func(t *testing.T) {
				t.Parallel()
				first, second := answers(gateway.Accepted{}, &gateway.Error{Reason: reason, Sent: sent}), accepts()
				got, err := newRouter(t, gateway.RouterOptions{}, first, second).Send(t.Context(), gateway.Dispatch{Message: message()})
				if sent == gateway.NotSent && goesOn[reason] {
					if err != nil || got.Gateway != "g2" || second.calls.Load() != 1 {
						t.Fatalf("got %+v, %v: the second gateway was to take it", got, err)
					}
					if got.Earlier == nil || got.Earlier.Gateway != "g1" || got.Earlier.Reason != reason {
						t.Fatalf("the answer does not tell of the failover: %+v", got.Earlier)
					}
					return
				}
				e := failure(t, err)
				if e.Reason != reason || e.Gateway != "g1" || second.calls.Load() != 0 {
					t.Fatalf("got %v after %d calls of the second gateway", err, second.calls.Load())
				}
				if want := sent; reason != gateway.Ambiguous && e.Sent != want || reason == gateway.Ambiguous && e.Sent != gateway.MaybeSent {
					t.Fatalf("got %s", e.Sent)
				}
				if first.calls.Load() != 1 {
					t.Fatalf("the first gateway was called %d times", first.calls.Load())
				}
			})
		}
	}
}

// OpenWA-plugins PR 119, courier#21: the carrier took the message and its answer was lost.
func TestLostAnswerIsSentOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{mock.TimeoutAfterAccept, mock.TimeoutBeforeAccept, mock.Malformed} {
		first, second := mock.New(nil), mock.New(nil)
		if err := first.SetFault(mock.Fault{Kind: kind}); err != nil {
			t.Fatal(err)
		}
		_, err := newRouter(t, gateway.RouterOptions{}, first, second).Send(t.Context(), gateway.Dispatch{Message: message()})
		if e := failure(t, err); e.Sent != gateway.MaybeSent || e.Reason != gateway.Ambiguous {
			t.Errorf("%s: got %v", kind, err)
		}
		if n := len(first.Messages(mock.Filter{})) + len(second.Messages(mock.Filter{})); n > 1 {
			t.Errorf("%s: %d messages", kind, n)
		}
		if len(second.Messages(mock.Filter{})) != 0 {
			t.Errorf("%s: the second gateway was used", kind)
		}
	}
}

// easy-sms 53, 83: a carrier's limit on a number must not be carried on to every other carrier.
func TestThrottledDoesNotStorm(t *testing.T) {
	t.Parallel()
	wait := 90 * time.Second
	first := answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Throttled, Sent: gateway.NotSent, RetryAfter: wait})
	second, third := accepts(), accepts()
	r := newRouter(t, gateway.RouterOptions{}, first, second, third)
	for range 20 {
		_, err := r.Send(t.Context(), gateway.Dispatch{Message: message()})
		if e := failure(t, err); e.Reason != gateway.Throttled || e.Sent != gateway.NotSent || e.RetryAfter != wait {
			t.Fatalf("got %+v", e)
		}
	}
	if first.calls.Load() != 20 || second.calls.Load()+third.calls.Load() != 0 {
		t.Fatalf("calls: %d, %d, %d", first.calls.Load(), second.calls.Load(), third.calls.Load())
	}
}

func TestEveryGatewayFails(t *testing.T) {
	t.Parallel()
	balance, refused := errors.New("no balance"), errors.New("connection refused")
	r := newRouter(t, gateway.RouterOptions{},
		answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: balance}),
		answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: refused}))
	_, err := r.Send(t.Context(), gateway.Dispatch{Message: message()})
	e := failure(t, err)
	if e.Sent != gateway.NotSent || e.Reason != gateway.Temporary || e.Gateway != "g2" || !errors.Is(e, refused) {
		t.Fatalf("got %+v", e)
	}
	want := "gateway g2: temporary: connection refused; before it, gateway g1: configuration: no balance"
	if e.Error() != want {
		t.Fatalf("got  %s\nwant %s", e, want)
	}
}

// What a driver says that is no clear word is read as the worst: maybe sent, and nobody else is tried.
func TestUnclearAnswersAreAmbiguous(t *testing.T) {
	t.Parallel()
	notSent := &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent}
	var none *gateway.Error
	for name, d := range map[string]*scripted{
		"another type":        answers(gateway.Accepted{}, errors.New("boom")),
		"a context error":     answers(gateway.Accepted{}, context.DeadlineExceeded),
		"wrapped":             answers(gateway.Accepted{}, fmt.Errorf("send: %w", notSent)),
		"joined":              answers(gateway.Accepted{}, errors.Join(notSent, errors.New("and more"))),
		"nil of type *Error":  answers(gateway.Accepted{}, none),
		"an unknown reason":   answers(gateway.Accepted{}, &gateway.Error{Reason: "weather", Sent: gateway.NotSent}),
		"no reason":           answers(gateway.Accepted{}, &gateway.Error{Sent: gateway.NotSent}),
		"ambiguous, not sent": answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.NotSent}),
		"an unknown Sent":     answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: 7}),
		"an id and an error":  answers(gateway.Accepted{ProviderID: "x"}, errors.New("boom")),
		"panic": {send: func(context.Context, gateway.Message) (gateway.Accepted, error) {
			panic("number +8613800138000, code 493817")
		}},
		"run-time panic": {send: func(context.Context, gateway.Message) (gateway.Accepted, error) {
			var m map[string]int
			m["x"] = 1
			return gateway.Accepted{}, nil
		}},
		"an error that panics": answers(gateway.Accepted{}, panicking{}),
		"the goroutine's end": {send: func(context.Context, gateway.Message) (gateway.Accepted, error) {
			goexit()
			return gateway.Accepted{}, nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			second := accepts()
			got, err := newRouter(t, gateway.RouterOptions{}, d, second).Send(t.Context(), gateway.Dispatch{Message: message()})
			e := failure(t, err)
			if e.Sent != gateway.MaybeSent || got != (gateway.Accepted{}) || e.Gateway != "g1" {
				t.Errorf("got %+v, %+v", got, e)
			}
			if name != "an unknown Sent" && e.Reason != gateway.Ambiguous {
				t.Errorf("got reason %q", e.Reason)
			}
			if d.calls.Load() != 1 || second.calls.Load() != 0 {
				t.Errorf("%d and %d calls", d.calls.Load(), second.calls.Load())
			}
			if name == "nil of type *Error" && !strings.Contains(e.Error(), "nil *gateway.Error") {
				t.Errorf("the cause does not tell what to mend: %s", e)
			}
		})
	}
}

func TestPanicIsPlacedAndItsValueWithheld(t *testing.T) {
	t.Parallel()
	d := &scripted{send: func(context.Context, gateway.Message) (gateway.Accepted, error) { panic("tok-live-12") }}
	_, err := newRouter(t, gateway.RouterOptions{}, d).Send(t.Context(), gateway.Dispatch{Message: message()})
	if text := err.Error(); strings.Contains(text, "tok-live-12") || !strings.Contains(text, "TestPanicIsPlaced") {
		t.Fatalf("got %s", text)
	}
}

func TestDriversErrorIsNotChanged(t *testing.T) {
	t.Parallel()
	shared := gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, RetryAfter: -1, Gateway: "forged"}
	before := shared
	e := failure(t, func() error {
		_, err := newRouter(t, gateway.RouterOptions{}, answers(gateway.Accepted{}, &shared)).Send(t.Context(), gateway.Dispatch{Message: message()})
		return err
	}())
	if shared != before || e == &shared || e.RetryAfter != 0 || e.Gateway != "g1" {
		t.Fatalf("got %+v, and the driver's is now %+v", e, shared)
	}
}

// WorkSphere 2149, Skyvern PR 6576: a cause that holds what must not be seen does not get out.
func TestLeakingCauseIsWithheld(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`Get "https://sms.example/?to=%2B8613800138000": EOF`,
		"to 138-0013-8000: refused",
		"template {code: 493817}",
		"body: 493817 is your login code.",
	} {
		for _, err := range []error{
			errors.New(text),
			&gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: errors.New(text)},
			&gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: fmt.Errorf("post: %w", errors.New(text))},
		} {
			_, got := newRouter(t, gateway.RouterOptions{}, answers(gateway.Accepted{}, err)).Send(t.Context(), gateway.Dispatch{Message: message()})
			if all := fmt.Sprintf("%v %+v %#v", got, got, failure(t, got).Err); strings.Contains(all, text) || !strings.Contains(all, "withheld") {
				t.Errorf("got %s", all)
			}
		}
	}
	harmless := errors.New("http status 503")
	_, got := newRouter(t, gateway.RouterOptions{}, answers(gateway.Accepted{}, harmless)).Send(t.Context(), gateway.Dispatch{Message: message()})
	if !errors.Is(got, harmless) {
		t.Errorf("a harmless cause is gone: %v", got)
	}
}

// A client that hangs up leaves nobody in doubt: the message goes out as if it had stayed.
func TestHangUpDoesNotCancel(t *testing.T) {
	t.Parallel()
	type key struct{}
	base := context.WithValue(t.Context(), key{}, "request 7")
	t.Run("before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(base)
		cancel()
		d := &scripted{send: func(ctx context.Context, _ gateway.Message) (gateway.Accepted, error) {
			if ctx.Err() != nil || ctx.Value(key{}) != "request 7" {
				t.Errorf("the driver's context: %v, %v", ctx.Err(), ctx.Value(key{}))
			}
			return gateway.Accepted{}, nil
		}}
		if _, err := newRouter(t, gateway.RouterOptions{}, d).Send(ctx, gateway.Dispatch{Message: message()}); err != nil || d.calls.Load() != 1 {
			t.Fatalf("%v after %d calls", err, d.calls.Load())
		}
	})
	t.Run("while it waits", func(t *testing.T) {
		ctx, cancel := context.WithCancel(base)
		d := &scripted{send: func(ctx context.Context, _ gateway.Message) (gateway.Accepted, error) {
			cancel()
			return gateway.Accepted{}, ctx.Err()
		}}
		if _, err := newRouter(t, gateway.RouterOptions{}, d).Send(ctx, gateway.Dispatch{Message: message()}); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("a deadline of the caller's", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(base, time.Second)
			defer cancel()
			d := mock.New(nil)
			if err := d.SetFault(mock.Fault{Kind: mock.Slow, Delay: 3 * time.Second}); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if _, err := newRouter(t, gateway.RouterOptions{}, d).Send(ctx, gateway.Dispatch{Message: message()}); err != nil || time.Since(start) != 3*time.Second {
				t.Fatalf("%v after %s", err, time.Since(start))
			}
		})
	})
}

type panicking struct{}

func (panicking) Error() string { panic("no text") }
