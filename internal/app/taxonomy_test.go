package app

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"smsd/internal/testserver"
)

// failing is one way in which the gateways of a route fail, and all that comes of it. The zero value of what is wanted is "not so".
type failing struct {
	reason        string // of the first gateway, also its metric's label
	first, second func(http.ResponseWriter)

	asked      bool // the second gateway
	want       string
	delivery   string
	retryAfter int
	// A second send to the number: refused by its limit, if that was kept, or by the carrier's, which lasts.
	again string
	// What both have cost the address.
	address int
	// The metrics that are not 0, beside the first gateway's outcome.
	metrics []string
}

// taxonomy is every reason, with a second gateway that would take the message, and where that one fails as well.
func taxonomy() map[string]failing {
	ok := status(200, "{}")
	says := func(code int, reason string) func(http.ResponseWriter) {
		return status(code, `{"reason": "`+reason+`", "retry_after": 30}`)
	}
	temporary, configuration, badNumber := says(503, "temporary"), says(403, "configuration"), says(422, "bad_number")
	noRoute := says(422, "no_route")
	throttled, content, ambiguous := says(429, "throttled"), says(422, "content"), status(500, "<html>")
	const (
		accepted   = `smsd_gateway_outcomes_total{gateway="second",reason="accepted"} 1`
		wentOn     = `smsd_gateway_failovers_total{gateway="first",reason="temporary"} 1`
		noWay      = `smsd_gateway_failovers_total{gateway="first",reason="no_route"} 1`
		ofSettings = `smsd_gateway_failovers_total{gateway="first",reason="configuration"} 1`
		alarm      = `smsd_gateway_ailing{class="configuration",gateway="first"} 1`
		alarmToo   = `smsd_gateway_ailing{class="configuration",gateway="second"} 1`
	)
	second := func(reason string) string {
		return `smsd_gateway_outcomes_total{gateway="second",reason="` + reason + `"} 1`
	}
	ended := func(outcome string) string {
		return `smsd_sends_total{action="send",outcome="` + outcome + `",scene="login"} 1`
	}
	return map[string]failing{
		"nothing fails": {"accepted", ok, ok, false, "200", "accepted", -1, "429 rate_limited", 1, []string{ended("accepted")}},

		"temporary (casdoor 1046, then 1291)": {"temporary", temporary, ok, true, "200", "accepted", -1, "429 rate_limited", 1, []string{accepted, wentOn, ended("accepted")}},
		"configuration":                       {"configuration", configuration, ok, true, "200", "accepted", -1, "429 rate_limited", 1, []string{accepted, ofSettings, alarm, ended("accepted")}},
		"bad number":                          {"bad_number", badNumber, ok, false, "422 undeliverable", "", -1, "200", 2, []string{ended("undeliverable")}},
		"the carrier's own limit (easy-sms 53, 83)": {"throttled", throttled, ok, false, "429 rate_limited", "", 30, "429 rate_limited", 0,
			[]string{ended("carrier_limited")}},
		"content": {"content", content, ok, false, "502 gateway_failed", "", -1, "200", 1, []string{ended("gateway_failed")}},
		"ambiguous (OpenWA-plugins PR 119, courier#21)": {"ambiguous", ambiguous, ok, false, "200", "unknown", -1, "429 rate_limited", 1,
			[]string{ended("unknown")}},

		"no way to the number": {"no_route", noRoute, ok, true, "200", "accepted", -1, "429 rate_limited", 1, []string{accepted, noWay, ended("accepted")}},
		"no way to the number, anywhere": {"no_route", noRoute, noRoute, true, "422 undeliverable", "", -1, "200", 2,
			[]string{second("no_route"), noWay, ended("undeliverable")}},
		"temporary, then no way to the number": {"temporary", temporary, noRoute, true, "502 gateway_failed", "", -1, "200", 1,
			[]string{second("no_route"), wentOn, ended("gateway_failed")}},
		"no way to the number, then temporary": {"no_route", noRoute, temporary, true, "502 gateway_failed", "", -1, "200", 1,
			[]string{second("temporary"), noWay, ended("gateway_failed")}},

		"temporary, everywhere": {"temporary", temporary, temporary, true, "502 gateway_failed", "", -1, "200", 1,
			[]string{second("temporary"), wentOn, ended("gateway_failed")}},
		"configuration, everywhere": {"configuration", configuration, configuration, true, "502 gateway_failed", "", -1, "502 gateway_failed", 0, // and both are left alone for now
			[]string{second("configuration"), ofSettings, alarm, alarmToo, ended("gateway_failed")}},
		"temporary, then the number is bad": {"temporary", temporary, badNumber, true, "422 undeliverable", "", -1, "200", 2,
			[]string{second("bad_number"), wentOn, ended("undeliverable")}},
		"configuration, then the carrier's own limit": {"configuration", configuration, throttled, true, "429 rate_limited", "", 30, "429 rate_limited", 0,
			[]string{second("throttled"), ofSettings, alarm, ended("carrier_limited")}},
		"temporary, then nobody can tell": {"temporary", temporary, ambiguous, true, "200", "unknown", -1, "429 rate_limited", 1,
			[]string{second("ambiguous"), wentOn, ended("unknown")}},
	}
}

// With the first of two gateways failing in each way in turn: who is asked and with what, what the client is told, which quota is kept and
// which is given back, what the metrics and the log say.
func TestTaxonomy(t *testing.T) {
	t.Parallel()
	for name, c := range taxonomy() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("memory", func(t *testing.T) { t.Parallel(); c.try(t) })
			t.Run("redis", func(t *testing.T) { t.Parallel(); c.try(t, onRedis(testserver.Redis(t).URL())) })
		})
	}
}

// ofAnAddress is how many messages an address may ask for.
const ofAnAddress = 4

func (c failing) try(t *testing.T, more ...setting) {
	first, second := newHook(t), newHook(t)
	limits := cooldown + fmt.Sprintf(", {name: ip, by: [ip], limit: %d, window: 1h}", ofAnAddress)
	s := start(t, rules(limits, longCode), append(more, written(t, "gateway: first,second\n"+hooks(first, second)))...)
	first.says(c.first)
	second.says(c.second)

	a := s.wants(s.send(alice), c.want)
	if a.text("delivery") != c.delivery || a.number("retry_after") != c.retryAfter {
		t.Errorf("%s, want delivery %q and retry_after %d", a, c.delivery, c.retryAfter)
	}
	c.route(s, first, second, a)
	c.told(s)

	first.says(status(200, "{}"))
	second.says(status(200, "{}"))
	c.quota(s)
}

// route sees who was asked: both with one message, and with one code, which is good if it may have been sent.
func (c failing) route(s *service, first, second *hook, a answer) {
	s.t.Helper()
	one, asked := first.newest()
	two, too := second.newest()
	if want := map[bool]int{true: 1}[c.asked]; asked != 1 || too != want {
		s.t.Fatalf("%d and %d calls, want 1 and %d", asked, too, want)
	}
	if c.asked && (one.Data.ID != two.Data.ID || one.Data.Code != two.Data.Code || two.header.Get("webhook-id") != one.header.Get("webhook-id")) {
		s.t.Error("the second gateway got another message")
	}
	if a.status == http.StatusOK {
		s.wants(s.verify(a.text("sms_id"), one.Data.Code), "200")
	}
	nothingOf(s, alice[len(alice)-8:], one.Data.Code, hookSecret)
}

// told sees that the metrics say this and no more, and that the log has the reason and, of a message that went on, who took it.
func (c failing) told(s *service) {
	s.t.Helper()
	want := append(slices.Clone(c.metrics), `smsd_gateway_outcomes_total{gateway="first",reason="`+c.reason+`"} 1`)
	slices.Sort(want)
	if got := moved(s.metrics()); !slices.Equal(got, want) {
		s.t.Errorf("metrics\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	log := s.log.String()
	if c.reason != "accepted" && !strings.Contains(log, "gateway first: "+c.reason) {
		s.t.Errorf("the log does not tell of the first gateway: %s", c.reason)
	}
	if on := strings.Contains(log, "msg=failover"); on != (c.asked && c.delivery == "accepted") {
		s.t.Errorf("the log tells of a failover: %v", on)
	}
}

// moved returns the series that the taxonomy moves and that are not 0.
func moved(metrics string) (all []string) {
	for line := range strings.Lines(metrics) {
		name, _, _ := strings.Cut(line, "{")
		switch name {
		case "smsd_gateway_outcomes_total", "smsd_gateway_failovers_total", "smsd_gateway_skipped_total", "smsd_gateway_ailing", "smsd_sends_total", "smsd_failed_steps_total":
			if line = strings.TrimSpace(line); !strings.HasSuffix(line, " 0") {
				all = append(all, line)
			}
		}
	}
	slices.Sort(all)
	return all
}

// quota sees what is left of the number's limit, and of the address's.
func (c failing) quota(s *service) {
	s.t.Helper()
	if a := s.wants(s.send(alice), c.again); c.retryAfter >= 0 && a.number("retry_after") > c.retryAfter {
		s.t.Errorf("%s: that is the number's own limit, which was to be given back", a)
	}
	for i := range ofAnAddress - c.address {
		s.wants(s.send(fmt.Sprintf("+44740012%04d", i)), "200")
	}
	s.wants(s.send("+447400129999"), "429 rate_limited")
}
