package app

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"smsd/internal/config"
	"smsd/internal/gateway"
)

// written is what a file of settings says of gateways.
func written(t *testing.T, text string) setting {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "secret"), hookSecret+"\n")
	write(t, filepath.Join(folder, "smsd.yaml"), strings.ReplaceAll(text, "FOLDER", folder))
	loaded, err := config.Load(config.Options{File: filepath.Join(folder, "smsd.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	if faults := checkGateways(loaded); len(faults) != 0 {
		t.Fatal(faults)
	}
	return func(c *config.Config) { c.Gateway, c.Gateways = loaded.Gateway, loaded.Gateways }
}

// hooks are the blocks of webhooks, called first, second and so on.
func hooks(all ...*hook) string {
	text := "gateways:\n"
	for i, h := range all {
		text += fmt.Sprintf("  %s: {kind: webhook, url: %q, secret_file: \"FOLDER/secret\", allow_private: true}\n", []string{"first", "second", "third"}[i], h.URL)
	}
	return text
}

func (h *hook) count() int { _, n := h.newest(); return n }

// A policy sends scenes and countries to gateways of their own, and another one does so a moment later.
func TestRoutesOfThePolicyAreLive(t *testing.T) {
	t.Parallel()
	first, second, third := newHook(t), newHook(t), newHook(t)
	const routes = "routes:\n- {scenes: [register], gateways: [third]}\n- {countries: [GB], gateways: [second, first]}"
	s := start(t, rules("", strings.Split(routes, "\n")...), written(t, "gateway: first\n"+hooks(first, second, third)))
	asked := func(want ...int) {
		t.Helper()
		if got := []int{first.count(), second.count(), third.count()}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("calls %v, want %v", got, want)
		}
	}
	s.wants(s.send(alice), "200")
	asked(1, 0, 0)
	s.wants(s.send(bob), "200")
	asked(1, 1, 0)
	s.wants(s.post("send", fields{"phone": bob, "scene": "register"}), "200")
	asked(1, 1, 1)
	s.reload(rules("", "routes: [{gateways: {third: 1}}]"))
	s.wants(s.send(alice), "200")
	asked(1, 1, 2)

	version := s.app.policy.Current().Version
	write(t, s.policy, rules("", "# a comment", "routes: [{gateways: [first]}, {countries: [CN], gateways: [first, fourth]}]"))
	err := s.app.Reload()
	if err == nil || !strings.Contains(err.Error(), "routes[1] ("+s.policy+":10): its gateway 2 is none of the settings', which have first, second, third") {
		t.Errorf("a policy that names a gateway which is not there: %v", err)
	}
	if s.app.policy.Current().Version != version {
		t.Error("the policy in force did not stay")
	}
	s.wants(s.send(alice), "200")
	asked(1, 1, 3)
}

// At the start such a policy is a fault beside the others, for config check too.
func TestRoutesToNobodyAreAFaultAtTheStart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	write(t, file, rules("", "routes: [{gateways: {nobody: 1}}]", "apps: {shop: {routes: [{gateways: [mock, somebody]}]}}"))
	cfg := settings(t, func(c *config.Config) { c.PolicyFile = file })
	_, err := New(cfg, Options{})
	for _, want := range []string{"routes[0] (" + file, "apps.shop.routes[0] (" + file, "its gateway 2 is none of the settings'"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The inbox is there where the mock gateway is one of several, and its faults make the next one be asked.
func TestTheMockGatewayIsOneOfSeveral(t *testing.T) {
	t.Parallel()
	h := newHook(t)
	s := start(t, rules(""), written(t, "gateway: [inbox, first]\n"+hooks(h)+"  inbox: {kind: mock}\n"))
	id, code := s.sent(alice)
	s.wants(s.verify(id, code), "200")
	s.fault("unavailable", alice, "")
	s.wants(s.send(alice), "200")
	if h.count() != 1 {
		t.Errorf("%d messages went to the webhook, want 1", h.count())
	}
	if welcome := s.app.welcome(); !strings.Contains(welcome, `"inbox, first"`) || !strings.Contains(welcome, "/mock/") {
		t.Error(welcome)
	}
}

// Production refuses what reaches nobody wherever a message could come to it, and nowhere else.
func TestProductionRefusesGatewaysForTestsOnEveryRoute(t *testing.T) {
	t.Parallel()
	h := newHook(t)
	gateways := hooks(h) + "  inbox: {kind: mock}\n"
	real := written(t, "gateway: first\n"+gateways)
	for name, c := range map[string]struct {
		chosen setting
		routes string
		allow  bool
		want   string // "": no fault of a gateway
	}{
		"not on a route":         {real, "", false, ""},
		"in the default route":   {written(t, "gateway: first,inbox\n"+gateways), "", false, "gateway: production needs"},
		"allowed":                {written(t, "gateway: first,inbox\n"+gateways), "routes: [{gateways: [inbox]}]", true, ""},
		"on a route":             {real, "routes: [{gateways: [first, inbox]}]", false, "its gateway 2 is inbox, whose messages reach nobody"},
		"on the route of an app": {real, "apps: {shop: {routes: [{gateways: {inbox: 1}}]}}", false, "apps.shop.routes[0]"},
	} {
		file := filepath.Join(t.TempDir(), "policy.yaml")
		write(t, file, rules("", c.routes))
		cfg := settings(t, c.chosen, func(cfg *config.Config) {
			cfg.Profile, cfg.AllowMock, cfg.AllowWorld, cfg.PolicyFile = config.Production, c.allow, true, file
		})
		_, err := Check(cfg)
		about := strings.Contains(fmt.Sprint(err), "reach")
		if about != (c.want != "") || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The settings say how many messages a gateway gets in a time: what is over goes to the next one.
func TestTheRateOfAGateway(t *testing.T) {
	t.Parallel()
	first, second := newHook(t), newHook(t)
	blocks := strings.Replace(hooks(first, second), "{kind", "{rate: 0.001, burst: 2, kind", 1)
	s := start(t, rules(""), written(t, "gateway: first,second\n"+blocks))
	for range 5 {
		s.wants(s.send(alice), "200")
	}
	if first.count() != 2 || second.count() != 3 {
		t.Errorf("%d and %d calls, want 2 and 3", first.count(), second.count())
	}
	if want := `smsd_gateway_skipped_total{gateway="first",why="pace"} 3`; !strings.Contains(s.metrics(), want) {
		t.Errorf("the metrics lack %s", want)
	}
}

// A receiver that does not answer in gateway_timeout may have the message: nobody can tell, and no other gateway is asked.
func TestTheTimeOfATry(t *testing.T) {
	t.Parallel()
	first, second := newHook(t), newHook(t)
	over := make(chan struct{})
	t.Cleanup(func() { close(over) }) // before the server closes
	first.says(func(http.ResponseWriter) { <-over })
	const limit = 6 * time.Second // above the default, which a machine that is busy takes as well
	s := start(t, rules(cooldown), written(t, "gateway: first,second\n"+hooks(first, second)), func(c *config.Config) { c.GatewayTimeout = limit })
	a := s.wants(s.send(alice), "200")
	if a.text("delivery") != "unknown" || second.count() != 0 || a.took < (limit+gateway.DefaultTryTimeout)/2 {
		t.Errorf("%s, and the second gateway was asked %d times", a, second.count())
	}
	s.wants(s.send(alice), "429 rate_limited")
}

// A gateway that refuses the account is asked once, and not with the messages that follow: the next one takes them, an alarm can
// see it, and the instance is degraded and not unready.
func TestAGatewayThatFailsIsPassedBy(t *testing.T) {
	t.Parallel()
	first, second := newHook(t), newHook(t)
	first.says(status(403, `{"reason": "configuration"}`))
	s := start(t, rules(cooldown), written(t, "gateway: first,second\n"+hooks(first, second)))
	for i := range 3 {
		s.wants(s.send(fmt.Sprintf("+861380013800%d", i)), "200")
	}
	if first.count() != 1 || second.count() != 3 {
		t.Errorf("%d and %d calls, want 1 and 3", first.count(), second.count())
	}
	for _, want := range []string{
		`smsd_gateway_ailing{class="configuration",gateway="first"} 1`, `smsd_gateway_ailing{class="configuration",gateway="second"} 0`,
		`smsd_gateway_skipped_total{gateway="first",why="breaker"} 2`, `smsd_gateway_failovers_total{gateway="first",reason="configuration"} 3`,
	} {
		if !strings.Contains(s.metrics(), want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if ready := s.wants(s.get("/readyz"), "200"); ready.text("status") != "degraded" || s.checks()["gateways"] != "failing: first: configuration" {
		t.Errorf("%s, %v", ready, s.checks())
	}
	if log := s.log.String(); !strings.Contains(log, "not asked for a while, since it failed: configuration") {
		t.Error("the log does not tell why the gateway was passed by")
	}
}
