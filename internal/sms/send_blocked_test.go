package sms_test

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/sms"
)

func TestBlocks(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("\nblock:\n" +
		"  - {phone: \"+8613900000000\", reason: reason-of-alice}\n" +
		"  - {prefix: \"+4474001\", reason: fraud, until: 2026-12-31}\n" +
		"  - {ip_net: 198.51.100.0/24, reason: fraud}\n" +
		"  - {country: DE, reason: fraud}")})
	r.sendFails(ask("+8613900000000"), sms.ErrBlocked)
	r.sendFails(ask(bob), sms.ErrBlocked)
	r.sendFails(ask("+4915112345678"), sms.ErrBlocked)
	q := ask(alice)
	q.Client = cafe
	r.sendFails(q, sms.ErrBlocked)
	r.send(ask(alice))
	r.pass(60 * 24 * time.Hour)
	r.send(ask(bob))
	if !strings.Contains(r.log.String(), "reason-of-alice") { // for the operator; the client is not told
		t.Errorf("the log lacks the reason:\n%s", r.log)
	}
}
