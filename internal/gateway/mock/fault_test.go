package mock_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

var (
	alice = phone.MustParse("+8613800138000")
	bob   = phone.MustParse("+447911123456")
)

func message(to phone.Number) gateway.Message {
	return gateway.Message{
		ID:    "m1",
		SMSID: "s1",
		Phone: to,
		Scene: "login",
		Text:  secret.New("493817 is your login code."),
		Code:  secret.New("493817"),
	}
}

// told is what became of a send, in the words of the tables below.
func told(err error) string {
	if err == nil {
		return "accepted"
	}
	e, ok := err.(*gateway.Error)
	if !ok {
		return fmt.Sprintf("%T", err)
	}
	text := fmt.Sprintf("%s, %s", e.Reason, e.Sent)
	if e.RetryAfter > 0 {
		text += ", " + e.RetryAfter.String()
	}
	return text
}

func send(t *testing.T, g *mock.Gateway, to phone.Number) (string, time.Duration) {
	t.Helper()
	start := time.Now()
	_, err := g.Send(t.Context(), message(to))
	return told(err), time.Since(start)
}

func set(t *testing.T, g *mock.Gateway, f mock.Fault) {
	t.Helper()
	if err := g.SetFault(f); err != nil {
		t.Fatal(err)
	}
}

// The table of faults in docs/gateways.md, row by row, and what the router is told.
func TestFaults(t *testing.T) {
	t.Parallel()
	rows := []struct {
		fault mock.Fault
		want  string
		inbox int
		took  time.Duration
	}{
		{mock.Fault{Kind: mock.Reject}, "bad_number, not sent", 0, 0},
		{mock.Fault{Kind: mock.Throttle}, "throttled, not sent, 1m0s", 0, 0},
		{mock.Fault{Kind: mock.Unavailable}, "temporary, not sent", 0, 0},
		{mock.Fault{Kind: mock.TimeoutBeforeAccept}, "ambiguous, maybe sent", 0, 0},
		{mock.Fault{Kind: mock.TimeoutBeforeAccept, Delay: 3 * time.Second}, "ambiguous, maybe sent", 0, 3 * time.Second},
		{mock.Fault{Kind: mock.TimeoutAfterAccept}, "ambiguous, maybe sent", 1, 0},
		{mock.Fault{Kind: mock.TimeoutAfterAccept, Delay: time.Second}, "ambiguous, maybe sent", 1, time.Second},
		{mock.Fault{Kind: mock.Malformed}, "ambiguous, maybe sent", 1, 0},
		{mock.Fault{Kind: mock.Slow}, "accepted", 1, 2 * time.Second},
		{mock.Fault{Kind: mock.Slow, Delay: 5 * time.Second}, "accepted", 1, 5 * time.Second},
	}
	seen := make(map[string]bool)
	for _, row := range rows {
		seen[row.fault.Kind] = true
		for _, to := range []phone.Number{{}, alice} {
			synctest.Test(t, func(t *testing.T) {
				g := mock.New(nil)
				row.fault.Phone = to
				set(t, g, row.fault)
				got, took := send(t, g, alice)
				if n := len(g.Messages(mock.Filter{})); got != row.want || n != row.inbox || took != row.took {
					t.Errorf("%s: got %q, %d messages, %s; want %q, %d, %s", row.fault.Kind, got, n, took, row.want, row.inbox, row.took)
				}
			})
		}
	}
	for _, kind := range mock.FaultKinds() {
		if !seen[kind] {
			t.Errorf("fault %s has no row here", kind)
		}
	}
	if len(mock.FaultKinds()) != 7 {
		t.Errorf("docs/gateways.md has seven faults: %q", mock.FaultKinds())
	}
}

// Ten numbers for each fault, so that parallel tests do not meet.
func TestFaultNumbers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for block, want := range []string{
			"accepted", "bad_number, not sent", "temporary, not sent", "ambiguous, maybe sent", "accepted", "throttled, not sent, 1m0s",
			"accepted", // 016x carries none
		} {
			for last := range 10 {
				g := mock.New(nil)
				to := phone.MustParse(fmt.Sprintf("+120255501%d%d", block, last))
				got, took := send(t, g, to)
				inbox := map[bool]int{true: 1}[want == "accepted" || strings.HasPrefix(want, "ambiguous")]
				slow := map[bool]time.Duration{true: 2 * time.Second}[block == 4]
				if n := len(g.Messages(mock.Filter{})); got != want || n != inbox || took != slow {
					t.Errorf("01%d%d: got %q, %d messages, %s", block, last, got, n, took)
				}
			}
		}
		for _, near := range []string{"+12025550011", "+12025550211", "+12125550111"} {
			if got, _ := send(t, mock.New(nil), phone.MustParse(near)); got != "accepted" {
				t.Errorf("%s is outside the block and got %q", near, got)
			}
		}
	})
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	rejected, accepted := phone.MustParse("+12025550110"), phone.MustParse("+12025550100")
	set(t, g, mock.Fault{Kind: mock.Unavailable})
	set(t, g, mock.Fault{Kind: mock.Throttle, Phone: alice})
	check := func(to phone.Number, want string) {
		t.Helper()
		if got, _ := send(t, g, to); got != want {
			t.Errorf("%s: got %q, want %q", to, got, want)
		}
	}
	check(alice, "throttled, not sent, 1m0s")
	check(bob, "temporary, not sent")
	check(rejected, "bad_number, not sent")
	check(accepted, "accepted")
	set(t, g, mock.Fault{Kind: mock.Malformed, Phone: rejected})
	check(rejected, "ambiguous, maybe sent")
	set(t, g, mock.Fault{Kind: mock.Reject, Phone: alice})
	check(alice, "bad_number, not sent")
	if n := len(g.Faults()); n != 3 {
		t.Errorf("%d faults, the newest was to replace the older one", n)
	}
	g.ClearFaults()
	check(alice, "accepted")
	check(bob, "accepted")
	check(rejected, "bad_number, not sent")
	if n := len(g.Faults()); n != 0 {
		t.Errorf("%d faults after clearing", n)
	}
}

func TestTimesCountDown(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	set(t, g, mock.Fault{Kind: mock.Reject, Phone: alice, Times: 2})
	set(t, g, mock.Fault{Kind: mock.Unavailable, Times: 1})
	if got := g.Faults(); len(got) != 2 || got[0].Times != 2 || got[1].Phone != (phone.Number{}) {
		t.Errorf("got %v", got)
	}
	for i, want := range []string{"bad_number, not sent", "bad_number, not sent", "temporary, not sent", "accepted"} {
		if got, _ := send(t, g, alice); got != want {
			t.Errorf("send %d: got %q, want %q", i+1, got, want)
		}
	}
	if got := g.Faults(); len(got) != 0 {
		t.Errorf("left over: %v", got)
	}
	set(t, g, mock.Fault{Kind: mock.Reject, Phone: bob})
	for range 5 {
		if got, _ := send(t, g, bob); got != "bad_number, not sent" {
			t.Errorf("a fault without a count ended: %q", got)
		}
	}
}

func TestBadFaults(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	for _, c := range []struct {
		fault mock.Fault
		field string
	}{
		{mock.Fault{}, "fault"},
		{mock.Fault{Kind: "Reject"}, "fault"},
		{mock.Fault{Kind: mock.Slow, Times: -1}, "times"},
		{mock.Fault{Kind: mock.Slow, Delay: -1}, "delay"},
		{mock.Fault{Kind: mock.Slow, Delay: mock.MaxDelay + 1}, "delay"},
		{mock.Fault{Kind: mock.Reject, Delay: time.Second}, "delay"},
		{mock.Fault{Kind: mock.Malformed, Delay: time.Second}, "delay"},
	} {
		var e *mock.FaultError
		if err := g.SetFault(c.fault); !errors.As(err, &e) || e.Field != c.field {
			t.Errorf("%+v: got %v, want a fault of %s", c.fault, err, c.field)
		}
	}
	if n := len(g.Faults()); n != 0 {
		t.Errorf("%d bad faults were set", n)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	number := func(i int) phone.Number { return phone.MustParse(fmt.Sprintf("+86138001%05d", i)) }
	for i := range mock.MaxFaults {
		set(t, g, mock.Fault{Kind: mock.Reject, Phone: number(i)})
	}
	if err := g.SetFault(mock.Fault{Kind: mock.Reject}); !errors.Is(err, mock.ErrTooManyFaults) {
		t.Errorf("got %v", err)
	}
	set(t, g, mock.Fault{Kind: mock.Slow, Phone: number(7)})
	got := g.Faults()
	if len(got) != mock.MaxFaults || !slices.ContainsFunc(got, func(f mock.Fault) bool { return f.Kind == mock.Slow }) {
		t.Errorf("%d faults; a full table was to take a replacement", len(got))
	}
}

// A wait ends with its context: nobody can tell, and what was taken stays taken.
func TestDelayEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{mock.Slow, mock.TimeoutBeforeAccept, mock.TimeoutAfterAccept} {
		synctest.Test(t, func(t *testing.T) {
			g := mock.New(nil)
			set(t, g, mock.Fault{Kind: kind, Delay: mock.MaxDelay})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			_, err := g.Send(ctx, message(alice))
			if told(err) != "ambiguous, maybe sent" || time.Since(start) != time.Second || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v after %s", kind, err, time.Since(start))
			}
			if n := len(g.Messages(mock.Filter{})); (n == 1) != (kind != mock.TimeoutBeforeAccept) {
				t.Errorf("%s: %d messages", kind, n)
			}
		})
	}
}

func TestEndedContextSendsNothing(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Send(ctx, message(alice)); told(err) != "temporary, not sent" || len(g.Messages(mock.Filter{})) != 0 {
		t.Errorf("got %v and %d messages", err, len(g.Messages(mock.Filter{})))
	}
}

// The message is there while the answer is still on its way; the wait is whoever's the test says.
func TestSlowIsInTheInboxAtOnce(t *testing.T) {
	t.Parallel()
	var g *mock.Gateway
	var waited time.Duration
	g = mock.NewWith(mock.Options{Sleep: func(_ context.Context, d time.Duration) error {
		waited = d
		if n := len(g.Messages(mock.Filter{})); n != 1 {
			t.Errorf("%d messages during the wait", n)
		}
		return nil
	}})
	if got, _ := send(t, g, phone.MustParse("+12025550140")); got != "accepted" || waited != 2*time.Second {
		t.Errorf("got %q after %s", got, waited)
	}
}
