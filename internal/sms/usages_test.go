package sms_test

import (
	"slices"
	"testing"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// An answer tells of enforced limits on the phone, alone or within its scene, and of no other.
func TestOnlyPersonalLimitsAreTold(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: `
limits:
  - {name: phone, by: [phone], limit: 5, window: 1h}
  - {name: phone-scene, by: [phone, scene], limit: 5, window: 1h}
  - {name: scene-phone, by: [scene, phone], limit: 6, window: 1h}
  - {name: trial, by: [phone], limit: 5, window: 1h, mode: shadow}
  - {name: phone-net, by: [phone, ip_net], limit: 5, window: 1h}
  - {name: phone-scene-net, by: [phone, scene, ip_net], limit: 5, window: 1h}
  - {name: scene, by: [scene], limit: 5, window: 1h}
  - {name: net, by: [ip_net], limit: 5, window: 1h}
  - {name: total, by: [], limit: 5, window: 1h}
scenes: {login: {code: {length: 6, ttl: 5m, attempts: 5}, countries: ["*"], number_types: [mobile], templates: {en: "{{.Code}}"}}}
`})
	sent := r.send(ask(alice))
	again, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"phone", "phone-scene", "scene-phone"}
	for _, usages := range [][]throttle.Usage{sent.Usages(), again.Usages()} {
		var told []string
		for _, u := range usages {
			told = append(told, u.Rule)
		}
		slices.Sort(told)
		if !slices.Equal(told, want) {
			t.Errorf("told of %v, want %v", told, want)
		}
	}
}
