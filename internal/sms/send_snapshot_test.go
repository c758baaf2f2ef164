package sms_test

import (
	"testing"

	"smsd/internal/sms"
)

// One request goes by one policy from its beginning to its end.
func TestPolicyIsReadOnceARequest(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.usePolicy(with("default_region: CN"))
	r.sendFails(sms.SendRequest{Phone: alice, Scene: "register", Client: home}, sms.ErrUnknownScene)
	r.send(ask("13800138000"))
}
