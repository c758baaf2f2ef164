package gatewaytest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/phone"
)

// HTTPHarness makes what [RunHTTP] tests.
type HTTPHarness struct {
	// Open returns the driver, whose carrier is at url, which is http://127.0.0.1:PORT. What it opens it closes with t.Cleanup.
	Open func(t *testing.T, url string) gateway.Driver
	// Carrier returns a fake of the carrier that answers in the carrier's own words: to [Accepted], and to the scenarios that are
	// optional; nil if the carrier has nothing like them. It refuses what is not signed as the carrier wants it. All else, as
	// hanging up or answering a page, the suite does by itself, in front of what is returned for Accepted.
	Carrier func(t *testing.T, s Scenario) http.Handler
	// Takes are those of the [Answers] by which the carrier says, as its contract has it, that it took the message.
	Takes []Scenario
	// Secrets, Phone and Template are those of [Harness].
	Secrets  []string
	Phone    phone.Number
	Template func(m gateway.Message) gateway.Template
}

// RunHTTP proves that a driver over HTTP keeps the contract of [gateway.Driver]: all that [Run] shows, whatever comes for an
// answer, wherever that is lost, and whoever it leads to. The trials run side by side.
func RunHTTP(t *testing.T, h HTTPHarness) {
	for _, tr := range h.trials() {
		t.Run(tr.name, func(t *testing.T) {
			t.Parallel()
			for _, fault := range tr.run(t, h.harness(), usual) {
				t.Error(fault)
			}
		})
	}
}

// trials are those of every driver, and those of HTTP.
func (h HTTPHarness) trials() []trial {
	all := slices.Clone(trials)
	for _, a := range answers {
		check := a.check()
		if slices.Contains(h.Takes, a.scenario) {
			check = takes
		}
		all = append(all, trial{name: "answer: " + string(a.scenario), scenario: a.scenario, brief: true, check: check})
	}
	all = append(all,
		trial{name: "slow answer", scenario: slow, check: takesInTime},
		trial{name: "answers lost at random", scenario: lossy, check: losesAtRandom},
	)
	return slices.Concat(all, routed(all))
}

// harness is h with what stands between its driver and its carrier.
func (h HTTPHarness) harness() Harness {
	return Harness{Open: h.open, Secrets: h.Secrets, Phone: h.Phone, Template: h.Template}
}

func (h HTTPHarness) open(t *testing.T, v *Vendor) gateway.Driver {
	s := &stand{vendor: v, own: h.Carrier(t, ownWords(v.Scenario))}
	if s.own == nil {
		return nil
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { v.strayed.Add(1) }))
	t.Cleanup(elsewhere.Close)
	s.elsewhere = elsewhere.URL
	if v.Scenario == Unreachable {
		return h.Open(t, Nobody(t))
	}
	server := httptest.NewServer(s)
	server.Config.ErrorLog = silent()
	t.Cleanup(server.Close)
	return h.Open(t, server.URL)
}

// ownWords returns the scenario in which the carrier itself answers.
func ownWords(s Scenario) Scenario {
	switch s {
	case BadNumber, Throttled, Configuration, Content, Unavailable:
		return s
	}
	return Accepted
}
