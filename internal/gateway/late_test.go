package gateway_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
)

// lateness is what was heard of messages that were given up.
type lateness chan gateway.Accepted

func (l lateness) TakenLate(m gateway.Message, a gateway.Accepted) {
	if m.ID != message().ID {
		a = gateway.Accepted{ProviderID: "another message's"}
	}
	l <- a
}

// What comes of a message once it was given up: who sent it hears that a carrier took it, and nothing else.
func TestTakenLate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		comes time.Duration
		ends  func() (gateway.Accepted, error)
		heard bool
	}{
		"taken":            {6 * time.Second, func() (gateway.Accepted, error) { return gateway.Accepted{ProviderID: "p1", ByProviderID: true}, nil }, true},
		"taken in time":    {time.Second, func() (gateway.Accepted, error) { return gateway.Accepted{ProviderID: "p1"}, nil }, false},
		"refused":          {6 * time.Second, func() (gateway.Accepted, error) { return gateway.Accepted{}, refuses(gateway.BadNumber) }, false},
		"lost":             {6 * time.Second, func() (gateway.Accepted, error) { return gateway.Accepted{}, errors.New("EOF") }, false},
		"a panic":          {6 * time.Second, func() (gateway.Accepted, error) { panic("no") }, false},
		"ends its routine": {6 * time.Second, func() (gateway.Accepted, error) { goexit(); return gateway.Accepted{}, nil }, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			registry, heard := prometheus.NewRegistry(), make(lateness, 2)
			d := &scripted{send: func(context.Context, gateway.Message) (gateway.Accepted, error) {
				time.Sleep(c.comes)
				return c.ends()
			}}
			r := newRouter(t, gateway.RouterOptions{Registerer: registry}, d)
			_, _ = r.Send(t.Context(), gateway.Dispatch{Message: message(), Late: heard})
			_, _ = r.Send(t.Context(), gateway.Dispatch{Message: message()}) // nobody wants to hear of that one
			time.Sleep(10 * time.Second)
			if len(heard) != map[bool]int{true: 1}[c.heard] {
				t.Fatalf("%s: %d were told", name, len(heard))
			}
			if c.heard {
				if a := <-heard; a.Gateway != "g1" || a.ProviderID != "p1" || !a.ByProviderID {
					t.Errorf("%s: %+v", name, a)
				}
			}
			wantMetric(t, registry, `smsd_gateway_late_total{gateway="g1"}`, map[bool]float64{true: 2}[c.heard])
		})
	}
}
