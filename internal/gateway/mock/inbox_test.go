package mock_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// still is a clock that stands.
func still() time.Time { return time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC) }

func deliver(t *testing.T, g *mock.Gateway, smsID string, to phone.Number, scene string) string {
	t.Helper()
	m := message(to)
	m.SMSID, m.Scene = smsID, scene
	accepted, err := g.Send(context.Background(), m)
	if err != nil {
		t.Error(err)
	}
	return accepted.ProviderID
}

func ids(messages []mock.Message) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.SMSID)
	}
	return strings.Join(all, " ")
}

func TestMessageIsWhatWasSent(t *testing.T) {
	t.Parallel()
	g := mock.New(still)
	id := deliver(t, g, "s1", alice, "login")
	got := g.Messages(mock.Filter{})
	want := message(alice)
	if len(got) != 1 || !got[0].Text.Same(want.Text) || !got[0].Code.Same(want.Code) {
		t.Fatalf("got %+v", got)
	}
	open := got[0]
	open.Text, open.Code = secret.Text{}, secret.Text{}
	if !reflect.DeepEqual(open, mock.Message{
		ID: id, SMSID: "s1", Phone: alice, Scene: "login",
		Gateway: "mock", Segments: 1, Encoding: string(gateway.GSM7), CreatedAt: still(),
	}) {
		t.Fatalf("got %+v", got)
	}
	if got[0].Text.Reveal() != "493817 is your login code." || got[0].Code.Reveal() != "493817" || id == "" {
		t.Fatal("the inbox must hold the text and the code themselves")
	}
	if printed := fmt.Sprintf("%v %+v %#v", got, got, got); strings.Contains(printed, "493817") || strings.Contains(printed, "13800138000") {
		t.Fatalf("a message prints what it holds: %s", printed)
	}
	if other := deliver(t, g, "s1", alice, "login"); other == id {
		t.Fatal("two messages of one id")
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	g := mock.New(still)
	deliver(t, g, "1", alice, "login")
	deliver(t, g, "2", bob, "login")
	deliver(t, g, "3", alice, "payment")
	deliver(t, g, "4", alice, "login")
	all := g.Messages(mock.Filter{})
	for _, c := range []struct {
		filter mock.Filter
		want   string
	}{
		{mock.Filter{}, "4 3 2 1"},
		{mock.Filter{Limit: 2}, "4 3"},
		{mock.Filter{Limit: 9}, "4 3 2 1"},
		{mock.Filter{Phone: alice}, "4 3 1"},
		{mock.Filter{Phone: alice, Limit: 2}, "4 3"},
		{mock.Filter{Scene: "login"}, "4 2 1"},
		{mock.Filter{SMSID: "2"}, "2"},
		{mock.Filter{SMSID: "2", Phone: alice}, ""},
		{mock.Filter{Since: all[2].CreatedAt}, "4 3"}, // the clock stands, and yet nothing is lost
		{mock.Filter{Since: all[0].CreatedAt}, ""},
		{mock.Filter{Since: still().Add(-1)}, "4 3 2 1"},
	} {
		if got := ids(g.Messages(c.filter)); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.filter, got, c.want)
		}
	}
	g.Clear()
	if got := g.Messages(mock.Filter{}); len(got) != 0 {
		t.Errorf("after clearing: %q", ids(got))
	}
	deliver(t, g, "5", bob, "login")
	if got := ids(g.Messages(mock.Filter{})); got != "5" {
		t.Errorf("after clearing and one more: %q", got)
	}
}

// A clock that is set back must not make a message invisible to who asks for what came since the last.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	now := still()
	g := mock.New(func() time.Time { return now })
	deliver(t, g, "1", alice, "login")
	now = now.Add(-time.Hour)
	deliver(t, g, "2", alice, "login")
	since := g.Messages(mock.Filter{SMSID: "1"})[0].CreatedAt
	if got := ids(g.Messages(mock.Filter{Since: since})); got != "2" {
		t.Errorf("got %q", got)
	}
}

func TestInboxKeepsTheNewest(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	for i := range 2*mock.MaxMessages + 17 {
		deliver(t, g, fmt.Sprint(i), alice, "login")
	}
	got := g.Messages(mock.Filter{})
	if len(got) != mock.MaxMessages {
		t.Fatalf("%d messages", len(got))
	}
	for i, m := range got {
		if want := fmt.Sprint(2*mock.MaxMessages + 16 - i); m.SMSID != want {
			t.Fatalf("message %d is %s, want %s", i, m.SMSID, want)
		}
	}
}

func TestWaitTakesTheFirstThatIsThere(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	for i := range 3 {
		deliver(t, g, fmt.Sprint(i), alice, "login")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var since time.Time
	for i := range 3 {
		m, ok := g.Wait(ended, mock.Filter{Phone: alice, Since: since})
		if !ok || m.SMSID != fmt.Sprint(i) {
			t.Fatalf("got %v, %s, want message %d", ok, m.SMSID, i)
		}
		since = m.CreatedAt
	}
	if _, ok := g.Wait(ended, mock.Filter{Since: since}); ok {
		t.Fatal("a message from nowhere")
	}
}

func TestWaitWakesAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := mock.New(nil)
		got := make(chan string, 100)
		for i := range 100 {
			to := []phone.Number{alice, bob}[i%2]
			go func() {
				m, ok := g.Wait(t.Context(), mock.Filter{Phone: to})
				if !ok || m.Phone != to {
					t.Errorf("waiter %d: %v, %s", i, ok, m.Phone)
				}
				got <- m.SMSID
			}()
		}
		synctest.Wait()
		deliver(t, g, "a1", alice, "login")
		deliver(t, g, "a2", alice, "login")
		synctest.Wait()
		if len(got) != 50 {
			t.Fatalf("%d waiters woke, want the 50 of that number", len(got))
		}
		deliver(t, g, "b1", bob, "login")
		synctest.Wait()
		count := make(map[string]int)
		for range 100 {
			count[<-got]++
		}
		if count["a1"] != 50 || count["b1"] != 50 {
			t.Fatalf("got %v: each waiter was to get the first of its number", count)
		}
	})
}

// The ring may go round between a message and its waiter's turn: the waiter gets that message all the same.
func TestWaitSurvivesAFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := mock.New(nil)
		got := make(chan mock.Message, 1)
		go func() {
			m, _ := g.Wait(t.Context(), mock.Filter{Phone: bob})
			got <- m
		}()
		synctest.Wait()
		deliver(t, g, "wanted", bob, "login")
		for range mock.MaxMessages {
			deliver(t, g, "flood", alice, "login")
		}
		g.Clear()
		if m := <-got; m.SMSID != "wanted" {
			t.Fatalf("got %q", m.SMSID)
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := mock.New(nil)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		if _, ok := g.Wait(ctx, mock.Filter{}); ok || time.Since(start) != 10*time.Second {
			t.Fatalf("got %v after %s", ok, time.Since(start))
		}
	})
}

// Everything at once, for the race detector; and no send may be lost or seen twice.
func TestParallelUse(t *testing.T) {
	t.Parallel()
	g := mock.New(nil)
	const senders, each = 8, 50
	var readers, writers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			var since time.Time
			seen := make([]string, 0, senders*each)
			for range senders * each {
				m, ok := g.Wait(t.Context(), mock.Filter{Since: since, Phone: alice})
				if !ok {
					t.Error("a waiter was left alone")
					return
				}
				seen, since = append(seen, m.SMSID), m.CreatedAt
			}
			slices.Sort(seen)
			if n := len(slices.Compact(seen)); n != senders*each {
				t.Errorf("%d different messages, want %d", n, senders*each)
			}
		})
	}
	for s := range senders {
		writers.Go(func() {
			for i := range each {
				deliver(t, g, fmt.Sprint(s, "/", i), alice, "login")
				g.Messages(mock.Filter{Limit: 3})
				if err := g.SetFault(mock.Fault{Kind: mock.Reject, Phone: bob, Times: 1}); err != nil {
					t.Error(err)
				}
				_, _ = g.Send(t.Context(), message(bob))
				g.Faults()
			}
		})
	}
	writers.Wait()
	readers.Wait()
}

// Gateways that share an inbox share its faults, and each message tells its gateway.
func TestJoin(t *testing.T) {
	t.Parallel()
	one, other := mock.NewWith(mock.Options{Name: "one"}), mock.NewWith(mock.Options{Name: "other"})
	other.Join(one)
	deliver(t, one, "1", alice, "login")
	deliver(t, other, "2", bob, "login")
	if err := one.SetFault(mock.Fault{Kind: mock.Reject, Phone: alice}); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Send(t.Context(), message(alice)); err == nil {
		t.Error("the fault is not shared")
	}
	for _, g := range []*mock.Gateway{one, other} {
		got := g.Messages(mock.Filter{})
		if len(got) != 2 || got[0].Gateway != "other" || got[1].Gateway != "one" {
			t.Errorf("%d messages: %+v", len(got), got)
		}
	}
}
