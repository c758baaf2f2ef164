package sms_test

import (
	"errors"
	"strings"
	"testing"

	"smsd/internal/phone"
)

// vellum-assistant PR 14132, Truxify#1253, rack-attack#493: one person, however the number is written.
func TestSpellingsAreOneBucket(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.send(ask(alice))
	for _, spelling := range []string{
		"+86 138-0013-8000", "008613800138000", "＋８６１３８００１３８０００", "+8613800138000\u00a0", "(+86) 138 0013 8000",
		"+٨٦١٣٨٠٠١٣٨٠٠٠",
	} {
		if denied := r.refused(ask(spelling)); denied.Rule != "login/cooldown" && denied.Rule != "cooldown" {
			t.Errorf("%q is refused by %q", spelling, denied.Rule)
		}
	}
	q := ask("138 0013 8000")
	q.Region = "cn"
	r.refused(q)
	r.countMessages(alice, 1)
}

// casdoor 1612: a national number needs a region, and is told so.
func TestNationalNumbers(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	var malformed *phone.Error
	if _, err := r.Send(r.ctx(), ask("13800138000")); !errors.As(err, &malformed) || !strings.Contains(malformed.Hint, "region") {
		t.Errorf("without a region: %v", err)
	}
	q := ask("13800138000")
	q.Region = "CN"
	r.send(q)
	r.countMessages(alice, 1)

	r = newRig(t, setup{policy: with("default_region: CN")})
	r.send(ask("13800138000"))
	q = ask("2025550100")
	q.Region = "US"
	r.send(q)
	r.countMessages("+12025550100", 1)
}
