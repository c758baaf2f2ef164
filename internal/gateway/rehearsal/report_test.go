package rehearsal

import (
	"context"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
)

// silent are the vendors whose calls nobody can play.
var silent = map[string]bool{"aws": true}

// unsaid are the reasons that a vendor's receipts have no word for.
var unsaid = map[string][]gateway.Reason{"tencent": {gateway.NoRoute, gateway.Throttled, gateway.Configuration}}

// What is to be said of a message comes back from the vendor's own call, read by its driver: also where the answer to the message was
// lost, and for each reason.
func TestReport(t *testing.T) {
	t.Parallel()
	for _, name := range Vendors() {
		for _, fault := range []string{"", mock.TimeoutAfterAccept} {
			t.Run(name+" "+fault, func(t *testing.T) {
				t.Parallel()
				g := newGateway(t, name)
				if fault != "" {
					set(t, g, mock.Fault{Kind: fault})
				}
				m := message(1, "+8613800138000")
				accepted, err := g.Send(t.Context(), m)
				if (err != nil) != (fault != "") {
					t.Fatal(err)
				}
				at := time.Now().Add(-48 * time.Hour).UTC().Truncate(time.Second)
				if said := report(t, g, gateway.Receipt{State: gateway.Delivered, At: at}); said.State != gateway.Delivered || !said.At.Equal(at) && !said.At.IsZero() {
					t.Errorf("%+v", said)
				}
				for _, reason := range append(gateway.Reasons(), "") {
					said := report(t, g, gateway.Receipt{State: gateway.Undelivered, Reason: reason})
					if said.State != gateway.Undelivered || said.Reason != wanted(name, reason) || said.Segments > 1 || time.Since(said.At) < 0 {
						t.Errorf("%q: %+v", reason, said)
					}
					if said.MessageID != m.ID && name != "tencent" || said.ProviderID == "" && !silent[name] || !silent[name] && fault == "" && said.ProviderID != accepted.ProviderID {
						t.Errorf("it is about %q, %q; want %q, %q", said.MessageID, said.ProviderID, m.ID, accepted.ProviderID)
					}
				}
			})
		}
	}
}

func report(t *testing.T, g *Gateway, said gateway.Receipt) gateway.Receipt {
	t.Helper()
	by, told, err := g.Inbox().Report(t.Context(), mock.Filter{}, said)
	if err != nil || len(told) != 1 || !strings.HasPrefix(by, "mock-") {
		t.Fatalf("%q, %+v, %v", by, told, err)
	}
	return told[0]
}

func wanted(vendor string, reason gateway.Reason) gateway.Reason {
	if silent[vendor] {
		return reason
	}
	for _, none := range unsaid[vendor] {
		if reason == none {
			return gateway.Ambiguous
		}
	}
	if reason == "" {
		return gateway.Ambiguous
	}
	return reason
}

// The driver believes the vendor alone: the call of another account is refused, by its secret or its signature.
func TestReportOfAStranger(t *testing.T) {
	t.Parallel()
	for _, name := range Vendors() {
		if silent[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t, name)
			of, err := g.vendor()
			if err != nil {
				t.Fatal(err)
			}
			other, err := vendors[name]()
			if err != nil {
				t.Fatal(err)
			}
			told := false
			s := &stage{vendor: of, play: func(ctx context.Context, later call) string {
				_, err = other.reporter(gateway.Message{}, later)(ctx, gateway.Receipt{State: gateway.Delivered})
				told = true
				return ""
			}}
			send(t, s)
			if !told || err == nil || !strings.Contains(err.Error(), gateway.ErrForged.Error()) {
				t.Errorf("%v", err)
			}
		})
	}
}

// send has the vendor's driver send a message to s.
func send(t *testing.T, s *stage) {
	t.Helper()
	url, end, err := serve(s)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	driver, err := s.vendor.open(url)
	if err == nil {
		_, err = driver.Send(t.Context(), message(1, "+8613800138000"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The messages of two processes are not mistaken for one another by a vendor's id that both have.
func TestSerialsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 2 {
		g, err := New("mock-tencent", "tencent")
		if err != nil {
			t.Fatal(err)
		}
		accepted, err := g.Send(t.Context(), message(1, "+8613800138000"))
		if err != nil || seen[accepted.ProviderID] || !accepted.ByProviderID {
			t.Errorf("%+v, %v", accepted, err)
		}
		seen[accepted.ProviderID] = true
	}
}
