package gateway_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
	"smsd/internal/phone"
)

// The time in these tests is that of a bubble of package synctest.

const china, britain, america, germany, france = "+8613800138000", "+447400123456", "+12025550100", "+4915112345678", "+33612345678"

// carrier is one that says what a test tells it to, by number.
type carrier struct {
	scripted
	says func(number string) error
}

func newCarrier() *carrier {
	c := &carrier{says: func(string) error { return nil }}
	c.send = func(_ context.Context, m gateway.Message) (gateway.Accepted, error) {
		return gateway.Accepted{}, c.says(m.Phone.E164())
	}
	return c
}

func refuses(r gateway.Reason) *gateway.Error {
	return &gateway.Error{Reason: r, Sent: gateway.NotSent}
}

// fails makes it answer everybody with reason; "": accepted.
func (c *carrier) fails(r gateway.Reason) {
	c.says = func(string) error {
		if r == "" {
			return nil
		}
		return refuses(r)
	}
}

// broken is a router with breakers before g1, g2 and so on, whose times are drawn as short as they can be.
func broken(t testing.TB, r prometheus.Registerer, drivers ...gateway.Driver) *gateway.Router {
	t.Helper()
	o := gateway.RouterOptions{Registerer: r, IntN: func(int) int { return 0 }}
	for i, d := range drivers {
		o.Gateways = append(o.Gateways, gateway.Gateway{Name: fmt.Sprintf("g%d", i+1), Driver: d, Breaker: true})
	}
	router, err := gateway.NewRouter(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(router.Close)
	return router
}

// another is one more number of China for each i.
func another(i int) string { return fmt.Sprintf("+861380013%04d", i) }

func to(number string) gateway.Dispatch {
	m := message()
	m.Phone = phone.MustParse(number)
	return gateway.Dispatch{Message: m}
}

// asked sends to number and reports how many calls the carrier got by it.
func (c *carrier) asked(r *gateway.Router, number string) (calls int32, err error) {
	before := c.calls.Load()
	_, err = r.Send(context.Background(), to(number))
	return c.calls.Load() - before, err
}

// wantMetric sees that one series has the value.
func wantMetric(t testing.TB, g prometheus.Gatherer, series string, want float64) {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			if f.GetName()+"{"+strings.Join(labels, ",")+"}" == series {
				if got := m.GetGauge().GetValue() + m.GetCounter().GetValue(); got != want {
					t.Errorf("%s is %v, want %v", series, got, want)
				}
				return
			}
		}
	}
	t.Errorf("there is no %s", series)
}
