package app

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// codesIn returns how many verifications are stored.
func codesIn(t *testing.T, c *redis.Client) (n int) {
	t.Helper()
	for key := range stored(t, c, indexLife) {
		if strings.Contains(key, ":c:") {
			n++
		}
	}
	return n
}

// On one Redis a send makes one trip, which stores its code only if the send is allowed. The second instance knows
// nothing yet of what the first was told, so that it has to ask.
func TestASendIsOneTrip(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	policy := rules("{name: one, by: [phone], limit: 1, window: 1h}")
	first, second := start(t, policy, onRedis(server.URL())), start(t, policy, onRedis(server.URL()))
	c := raw(t, server)
	first.sent(bob) // from here on the server knows the script
	trip := func(s *service, outcome string) {
		t.Helper()
		c.ConfigResetStat(t.Context())
		s.wants(s.send(alice), outcome)
		if n, codes := calls(t, c)["evalsha"], codesIn(t, c); n != 1 || codes != 2 {
			t.Errorf("answered %s after %d trips; %d codes are stored, want those of two sends", outcome, n, codes)
		}
	}
	trip(first, "200")
	trip(second, "429 rate_limited")
}

// So does a verify where a rule counts verifies: a refused one does not reach the code, and one that is no code of this
// length is neither counted nor an attempt. A wrong one makes another trip, for the guess.
func TestAVerifyIsOneTrip(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	policy := rules("{name: few, by: [ip], limit: 2, window: 1h, on: verify}, {name: guesses, by: [phone], limit: 9, window: 1h, on: guess}")
	first, second := start(t, policy, onRedis(server.URL())), start(t, policy, onRedis(server.URL()))
	c := raw(t, server)
	id, code := first.sent(alice)
	first.wants(first.verify(id, code[1:]), "400 invalid_request") // from here on the server knows the script
	trips := func(s *service, typed, outcome string, want int) {
		t.Helper()
		c.ConfigResetStat(t.Context())
		s.wants(s.verify(id, typed), outcome)
		if n := calls(t, c)["evalsha"]; n != want {
			t.Errorf("answered %s after %d trips, want %d", outcome, n, want)
		}
	}
	trips(first, code[1:], "400 invalid_request", 1)
	first.verify(id, otherCode(code)) // the server learns the guess's script
	trips(first, code, "200", 1)
	trips(second, code, "429 rate_limited", 1)
}

// A message that surely did not leave takes its code along.
func TestAMessageThatDidNotLeaveLeavesNoCode(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	s := start(t, "", onRedis(server.URL()))
	for kind, outcome := range map[string]string{"reject": "422 undeliverable", "unavailable": "502 gateway_failed", "throttle": "429 rate_limited"} {
		s.fault(kind, bob, "")
		s.wants(s.send(bob), outcome)
	}
	if n := codesIn(t, raw(t, server)); n != 0 {
		t.Errorf("%d codes are stored", n)
	}
	s.sent(bob)
}
