package sms

import (
	"slices"
	"time"

	"smsd/internal/throttle"
)

// limits tells of the limits on the phone, alone or within its scene.
func (sent *Sent) limits(quota *throttle.Reservation) {
	if quota == nil {
		return
	}
	sent.ResendIn = roundUp(quota.Wait(), time.Second)
	sent.Usages = slices.DeleteFunc(quota.Usages(), func(u throttle.Usage) bool {
		return u.Mode != throttle.Enforce || !isPersonal(u.By)
	})
}

// isPersonal says whether a rule counts under the phone, and beside it under nothing but the scene: what else
// there is would tell an attacker what to change, and a scene's total is nobody's business.
func isPersonal(by []throttle.Kind) bool {
	for _, kind := range by {
		if kind != throttle.Phone && kind != throttle.Scene {
			return false
		}
	}
	return has(by, throttle.Phone)
}
