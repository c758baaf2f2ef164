package gateway_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"pgregory.net/rapid"

	"smsd/internal/gateway"
)

// notSent is a carrier that is out of reach.
func notSent() *scripted {
	return answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent})
}

func TestRouteOfTheMessageGoesBeforeTheDefault(t *testing.T) {
	t.Parallel()
	r := newRouter(t, gateway.RouterOptions{Default: gateway.Route{Gateways: []string{"g2"}}}, accepts(), accepts(), notSent())
	for _, c := range []struct {
		route string // names, between blanks
		want  string
	}{
		{"", "g2"}, {"g1", "g1"}, {"g3 g1 g2", "g1"}, {"g2 g1", "g2"}, {"nobody g1", "g1"},
	} {
		got, err := r.Send(t.Context(), gateway.Dispatch{Message: message(), Route: gateway.Route{Gateways: strings.Fields(c.route)}})
		if err != nil || got.Gateway != c.want {
			t.Errorf("route %q: %+v, %v, want %s", c.route, got, err, c.want)
		}
	}
	_, err := r.Send(t.Context(), gateway.Dispatch{Message: message(), Route: gateway.Route{Gateways: []string{"g3"}}})
	if e := failure(t, err); e.Gateway != "g3" || e.Earlier != nil {
		t.Errorf("a gateway that the route does not name was asked: %v", err)
	}
	_, err = r.Send(t.Context(), gateway.Dispatch{Message: message(), Route: gateway.Route{Gateways: []string{"nobody"}}})
	if e := failure(t, err); e.Reason != gateway.Configuration || e.Sent != gateway.NotSent {
		t.Errorf("a route to nobody: %v", err)
	}
}

func TestFaultsOfTheDefaultRoute(t *testing.T) {
	t.Parallel()
	names := strings.Fields("a b c d e f g h i")
	var all []gateway.Gateway
	for _, name := range names {
		all = append(all, gateway.Gateway{Name: name, Driver: accepts()})
	}
	for want, route := range map[string]gateway.Route{
		"a default route is needed":       {},
		"more than 8 gateways":            {Gateways: names},
		"is not there, or one twice":      {Gateways: []string{"a", "z"}},
		"is not there, or one twice ":     {Gateways: []string{"a", "a"}},
		"not one weight for each gateway": {Gateways: []string{"a", "b"}, Weights: []int{1}},
		"is not 1 to 1,000":               {Gateways: []string{"a", "b"}, Weights: []int{1, 0}},
		"is not 1 to 1,000 ":              {Gateways: []string{"a", "b"}, Weights: []int{1, 1001}},
	} {
		if _, err := gateway.NewRouter(gateway.RouterOptions{Gateways: all, Default: route}); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%+v: %v, want %s", route, err, want)
		}
	}
	if _, err := gateway.NewRouter(gateway.RouterOptions{Gateways: all, Default: gateway.Route{Gateways: names[:8]}}); err != nil {
		t.Error(err)
	}
}

// Each message draws its first gateway by the weights, and each that follows by those that are left: over many messages
// every order comes as often as it should (chi-square, 5 degrees of freedom: 20.5 is passed once in a thousand seeds, and the seed is fixed).
func TestWeights(t *testing.T) {
	t.Parallel()
	const n = 6000
	seeded := rand.New(rand.NewPCG(1, 2))
	var asked strings.Builder
	r := newRouter(t, gateway.RouterOptions{IntN: seeded.IntN}, noting(&asked, "1"), noting(&asked, "2"), noting(&asked, "3"))
	route := gateway.Route{Gateways: []string{"g1", "g2", "g3"}, Weights: []int{70, 20, 10}}
	seen := map[string]float64{}
	for range n {
		asked.Reset()
		_, _ = r.Send(t.Context(), gateway.Dispatch{Message: message(), Route: route})
		seen[asked.String()]++
	}
	chi := 0.0
	for order, share := range map[string]float64{
		"123": .7 * 20 / 30, "132": .7 * 10 / 30, "213": .2 * 70 / 80, "231": .2 * 10 / 80, "312": .1 * 70 / 90, "321": .1 * 20 / 90,
	} {
		chi += (seen[order] - n*share) * (seen[order] - n*share) / (n * share)
	}
	if chi > 20.5 || len(seen) != 6 {
		t.Errorf("chi-square %.1f: %v", chi, seen)
	}
	if fmt.Sprint(route) != "{[g1 g2 g3] [70 20 10]}" {
		t.Errorf("a draw changed the route itself: %v", route)
	}
}

// noting is a carrier out of reach that writes down when it was asked.
func noting(to *strings.Builder, name string) *scripted {
	d := notSent()
	refuse := d.send
	d.send = func(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
		to.WriteString(name)
		return refuse(ctx, m)
	}
	return d
}

// What is told of a message that went on: the last failure holds those before it, and each is counted where it came from.
func TestFailoversAreCounted(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	r := newRouter(t, gateway.RouterOptions{Registerer: registry},
		answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent}), notSent(), notSent())
	_, err := r.Send(t.Context(), gateway.Dispatch{Message: message()})
	if text := failure(t, err).Error(); text != "gateway g3: temporary; before it, gateway g2: temporary; before it, gateway g1: configuration" {
		t.Error(text)
	}
	const want = `
# HELP smsd_gateway_failovers_total Messages that a gateway did not take and another one was then tried with, by the first and why.
# TYPE smsd_gateway_failovers_total counter
smsd_gateway_failovers_total{gateway="g1",reason="configuration"} 1
smsd_gateway_failovers_total{gateway="g1",reason="no_route"} 0
smsd_gateway_failovers_total{gateway="g1",reason="temporary"} 0
smsd_gateway_failovers_total{gateway="g2",reason="configuration"} 0
smsd_gateway_failovers_total{gateway="g2",reason="no_route"} 0
smsd_gateway_failovers_total{gateway="g2",reason="temporary"} 1
smsd_gateway_failovers_total{gateway="g3",reason="configuration"} 0
smsd_gateway_failovers_total{gateway="g3",reason="no_route"} 0
smsd_gateway_failovers_total{gateway="g3",reason="temporary"} 0
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "smsd_gateway_failovers_total"); err != nil {
		t.Error(err)
	}
}

// Whatever the carriers answer and whatever the route: at most one of them may have the message, nobody is asked after one
// that may, all are asked with one id, and the answer tells what happened (OpenWA-plugins PR 119, courier#21).
func TestNeverTwoGatewaysHaveOneMessage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "gateways")
		o := gateway.RouterOptions{}
		var route gateway.Route
		may, ids, asked := 0, map[string]bool{}, 0
		for i := range n {
			outcome := outcomes().Draw(t, "outcome")
			name := fmt.Sprintf("g%d", i)
			route.Gateways = append(route.Gateways, name)
			o.Gateways = append(o.Gateways, gateway.Gateway{Name: name, Driver: &scripted{send: func(_ context.Context, m gateway.Message) (gateway.Accepted, error) {
				asked++
				ids[m.ID] = true
				if may > 0 {
					t.Fatalf("%s was asked after one that may have the message", name)
				}
				if e, failed := outcome.(*gateway.Error); !failed || e.Sent != gateway.NotSent {
					may++
				}
				return gateway.Accepted{}, outcome
			}}})
		}
		if rapid.Bool().Draw(t, "weighted") {
			route.Weights = rapid.SliceOfN(rapid.IntRange(1, gateway.MaxWeight), n, n).Draw(t, "weights")
		}
		r, err := gateway.NewRouter(o)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		_, err = r.Send(context.Background(), gateway.Dispatch{Message: message(), Route: route})
		e, failed := err.(*gateway.Error)
		surelyNot := failed && e.Sent == gateway.NotSent
		if surelyNot != (may == 0) || len(ids) != 1 || asked > n {
			t.Fatalf("%v with %d that may have it, %d ids, %d calls of %d gateways", err, may, len(ids), asked, n)
		}
	})
}

// outcomes are what a driver may come to, sensible or not.
func outcomes() *rapid.Generator[error] {
	return rapid.Custom(func(t *rapid.T) error {
		if rapid.IntRange(0, 4).Draw(t, "accepted") == 0 {
			return nil
		}
		return &gateway.Error{
			Reason: rapid.SampledFrom(gateway.Reasons()[:4]).Draw(t, "reason"),
			Sent:   rapid.SampledFrom([]gateway.Sent{gateway.NotSent, gateway.NotSent, gateway.MaybeSent}).Draw(t, "sent"),
		}
	})
}
